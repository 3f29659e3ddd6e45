import type { Page } from '@playwright/test';
import { query } from '../database.ts';
import { dialog, fromButton, fromHead, fromMenu, press, type Named } from './openers.ts';
import type { Scene } from './scene.ts';
import type { Screen } from './screen.ts';

const access: Named = ({ estate }) => `/access/${estate.id}`;
const requests: Named = ({ estate }) => `/requests/${estate.id}`;
const request: Named = ({ user }) => `the request of ${user.name}`;
const reach = 'Who can reach this device';

const decide = (page: Page, scene: Scene) => press(page, `Decide: ${request(scene)}`);

/** Sets how old a sign-in may be for a decision about a request; no call sets 0. */
async function expectSignIn(database: string, account: string, minutes: number): Promise<void> {
  await query(database, 'UPDATE tenancy.access_rules SET recent_minutes = $2 WHERE account_id = $1', [
    account,
    minutes,
  ]);
}

/** The people of a device, opened on its page. */
export const accessPages: readonly Screen[] = [
  {
    name: 'device-reach',
    path: ({ estate, device }) => `/devices/${estate.id}/${device.id}`,
    ready: (page) => page.getByRole('table', { name: reach }),
    show: async (page) => {
      await press(page, 'Show who can reach this device');
      await page.getByRole('table', { name: reach }).waitFor();
      await page.getByRole('region', { name: reach }).evaluate((region) => region.scrollIntoView());
    },
  },
];

/** The dialogs of grants and access requests. */
export const accessDialogs: readonly Screen[] = [
  { name: 'new-grant', ...fromButton(access, 'New grant', 'New grant') },
  {
    name: 'withdraw-grant',
    unpictured: true,
    ...fromMenu(access, () => 'the grant of Field crew', 'Withdraw grant', 'Withdraw grant'),
  },
  { name: 'access-rules', ...fromButton(access, 'Edit rules', 'Access rules') },
  { name: 'explicit-grants', ...fromButton(access, 'Use explicit grants only', 'Use explicit grants only') },
  { name: 'ask-for-access', who: 'user', ...fromHead('Ask for access', 'Ask for access') },
  {
    name: 'ask-for-devices',
    unpictured: true,
    who: 'user',
    ...fromButton(requests, 'Ask for access', 'Ask for access'),
  },
  {
    name: 'withdraw-request',
    unpictured: true,
    who: 'user',
    ...fromMenu(requests, request, 'Withdraw request', 'Withdraw request'),
  },
  {
    name: 'decide-request',
    who: 'approver',
    path: requests,
    ready: dialog('Decide about a request'),
    show: decide,
  },
  {
    name: 'sign-in-again',
    unpictured: true,
    who: 'approver',
    path: requests,
    ready: dialog('Sign in again'),
    show: async (page, scene) => {
      await expectSignIn(scene.database, scene.estate.id, 0);
      await decide(page, scene);
      await press(page, 'Approve');
      await dialog('Sign in again')(page).waitFor();
      await expectSignIn(scene.database, scene.estate.id, 15);
    },
    hide: async (page) => {
      await dialog('Sign in again')(page).getByRole('button', { name: 'Cancel' }).click();
      await page.keyboard.press('Escape');
    },
  },
];
