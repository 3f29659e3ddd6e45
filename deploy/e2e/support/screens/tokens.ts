import type { Page } from '@playwright/test';
import { dialog, fromButton, fromMenu, press, type Named } from './openers.ts';
import type { Screen } from './screen.ts';

const accounts: Named = ({ estate }) => `/service-accounts/${estate.id}`;
const runner: Named = () => 'CI runner';

async function openNewToken(page: Page): Promise<void> {
  await press(page, 'Actions for CI runner');
  await page.getByRole('menuitem', { name: 'New token', exact: true }).click();
}

/** The dialogs of API tokens and service accounts. */
export const tokenDialogs: readonly Screen[] = [
  { name: 'new-token', ...fromButton(() => '/profile/tokens', 'New token', 'New token') },
  {
    name: 'token-secret',
    path: accounts,
    ready: (page) => page.getByRole('dialog').getByText(/^wrn_/),
    show: async (page) => {
      await openNewToken(page);
      await dialog('New token')(page).getByRole('textbox', { name: 'Name' }).fill('Release builds');
      await press(page, 'Create token');
    },
  },
  {
    name: 'revoke-token',
    unpictured: true,
    ...fromButton(({ estate }) => `/tokens/${estate.id}`, 'Revoke Nightly firmware tests', 'Revoke token'),
  },
  { name: 'new-service-account', ...fromButton(accounts, 'New service account', 'New service account') },
  { name: 'edit-service-account', unpictured: true, ...fromMenu(accounts, runner, 'Edit', 'Edit service account') },
  {
    name: 'delete-service-account',
    unpictured: true,
    ...fromMenu(accounts, runner, 'Delete', 'Delete service account'),
  },
];
