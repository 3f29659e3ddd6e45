import { press } from './openers.ts';
import type { Screen } from './screen.ts';

/** What lies over the list of devices: columns and the completion of filters. */
export const deviceLists: readonly Screen[] = [
  {
    name: 'device-columns',
    path: ({ estate }) => `/devices/${estate.id}`,
    ready: (page) => page.getByRole('checkbox', { name: 'Model' }),
    show: async (page, { device: { name } }) => {
      await page.getByRole('row').filter({ hasText: name }).first().waitFor();
      await press(page, 'Columns');
    },
  },
  {
    name: 'filter-completion',
    path: ({ estate }) => `/devices/${estate.id}`,
    ready: (page) => page.getByRole('option').first(),
    show: async (page, { device: { name } }) => {
      await page.getByRole('row').filter({ hasText: name }).first().waitFor();
      const search = page.getByRole('combobox', { name: 'Search devices' });
      await search.click();
      await search.pressSequentially('status=');
    },
    hide: async (page) => {
      const search = page.getByRole('combobox', { name: 'Search devices' });
      await search.fill('');
      // An empty field completes, too.
      await search.blur();
      await page.getByRole('option').first().waitFor({ state: 'hidden' });
    },
  },
];
