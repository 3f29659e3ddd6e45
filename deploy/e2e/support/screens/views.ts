import type { Page } from '@playwright/test';
import type { Scene } from './scene.ts';
import { dialog } from './openers.ts';
import type { Screen } from './screen.ts';

const path = ({ estate, view }: Scene) => `/devices/${estate.id}?view=${view}&filter=status%3Ddisconnected`;
const open = (page: Page) => page.getByRole('button', { name: 'View Never connected', exact: true }).click();

/** The menu of saved views, and its dialogs. */
export const VIEWS: readonly Screen[] = [
  {
    name: 'views',
    path,
    ready: (page) => page.getByRole('menu'),
    show: open,
  },
  {
    name: 'rename-view',
    path,
    ready: dialog('Rename view'),
    show: async (page) => {
      await open(page);
      await page.getByRole('menuitem', { name: 'Rename Never connected…' }).click();
    },
  },
  {
    name: 'view-uses',
    path,
    ready: dialog('Uses of the view'),
    show: async (page, { estate: { id: account } }) => {
      // There already when another theme or width is shown.
      const naming = {
        name: 'Waiting in the north',
        filter: 'in:never-connected site=north',
        scope: 'account',
        account,
      };
      await page.request.post('/api/filters', { data: naming, headers: { origin: new URL(page.url()).origin } });
      await open(page);
      await page.getByRole('menuitem', { name: 'Show uses of Never connected…' }).click();
      await page.getByRole('link', { name: 'View Waiting in the north' }).waitFor();
    },
  },
  {
    name: 'replace-view',
    path,
    ready: dialog('Replace view'),
    show: async (page) => {
      await open(page);
      await page.getByRole('menuitem', { name: 'Replace a view…' }).click();
    },
  },
];
