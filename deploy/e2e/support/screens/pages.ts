import type { Page } from '@playwright/test';
import { accessPages } from './access.ts';
import { entryPages } from './entry.ts';
import { guestPages } from './guests.ts';
import { heading } from './openers.ts';
import type { Screen } from './screen.ts';

const row = (text: string) => (page: Page) => page.getByRole('row').filter({ hasText: text }).first();
const terminal = (page: Page) => page.locator('[role=status][data-state=connected]');
const panel = (name: string) => (page: Page) => page.getByRole('complementary', { name });
/** A tab of the side menu. */
const tab = (name: string) => (page: Page) =>
  page.getByRole('toolbar', { name: 'Device panels' }).getByRole('button', { name, exact: true }).click();

/** Over the device page, one at a time: the open one's tab closes it. */
const deviceTab = (name: string): Pick<Screen, 'ready' | 'show' | 'hide'> => ({
  ready: panel(name),
  show: async (page) => {
    await terminal(page).waitFor();
    await tab(name)(page);
  },
  hide: tab(name),
});

/** Every page of the console. */
export const pages: readonly Screen[] = [
  { name: 'home', path: () => '/', ready: (page) => page.getByRole('region', { name: 'Devices', exact: true }) },
  {
    name: 'home-screen',
    path: () => '/?screen',
    ready: (page) => page.getByRole('button', { name: 'Leave full screen' }),
  },
  { name: 'accounts', path: () => '/accounts', ready: row('Meadow Farms') },
  {
    name: 'account',
    path: ({ estate }) => `/accounts/${estate.id}`,
    ready: (page, { owner }) => page.getByText(owner),
  },
  { name: 'groups', path: ({ estate }) => `/groups/${estate.id}`, ready: row('Field crew') },
  { name: 'group', path: ({ estate, group }) => `/groups/${estate.id}/${group.id}`, ready: row('Uma Reed') },
  { name: 'owners', path: ({ owners }) => `/group/${owners.id}`, ready: (page, { owner }) => row(owner)(page) },
  { name: 'users-all', path: () => '/users', ready: row('Mara Quinn') },
  { name: 'users', path: ({ estate }) => `/users/${estate.id}`, ready: row('Uma Reed') },
  { name: 'user', path: ({ estate, user }) => `/users/${estate.id}/${user.id}`, ready: heading('Uma Reed') },
  { name: 'devices-all', path: () => '/devices', ready: row('Disconnected') },
  {
    name: 'devices',
    path: ({ estate }) => `/devices/${estate.id}`,
    ready: (page, { device }) => row(device.name)(page),
  },
  {
    name: 'devices-none',
    path: ({ estate }) => `/devices/${estate.id}?search=nothing-like-this`,
    ready: (page) => page.getByText('No devices found.'),
  },
  {
    name: 'devices-selected',
    path: ({ estate }) => `/devices/${estate.id}`,
    ready: (page) => page.getByRole('region', { name: 'Selected devices' }),
    show: async (page, { device }) => {
      await row(device.name)(page).waitFor();
      await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    },
    hide: (page) => page.getByRole('button', { name: 'Clear selection' }).click(),
  },
  {
    name: 'offline',
    path: ({ estate }) => `/devices/${estate.id}`,
    ready: (page) => page.getByText('You are offline.'),
    show: async (page, { device }) => {
      await row(device.name)(page).waitFor();
      await page.context().setOffline(true);
    },
    hide: (page) => page.context().setOffline(false),
  },
  {
    name: 'alerts',
    path: ({ estate }) => `/alerts?account=${estate.id}`,
    ready: row('Away'),
  },
  {
    name: 'alerts-past',
    path: ({ estate }) => `/alerts?account=${estate.id}&state=closed`,
    ready: (page) => page.getByText('No past alerts'),
  },
  { name: 'alert-rules', path: ({ estate }) => `/alerts/rules?account=${estate.id}`, ready: row('Away') },
  {
    name: 'alert-silences',
    path: ({ estate }) => `/alerts/silences?account=${estate.id}`,
    ready: row('name~irrigation'),
  },
  { name: 'alert-channels', path: ({ estate }) => `/alerts/channels?account=${estate.id}`, ready: row('On call') },
  {
    name: 'audit',
    path: ({ estate }) => `/audit?account=${estate.id}`,
    ready: (page) => page.getByRole('table', { name: 'Changes' }),
    show: async (page) => {
      await page
        .getByRole('button', { name: /Share view/ })
        .first()
        .click();
      await page.evaluate(() => scrollTo(0, 0));
    },
    hide: (page) => page.getByRole('list', { name: 'Audit events' }).getByRole('button', { expanded: true }).click(),
  },
  { name: 'audit-event', path: ({ event }) => `/audit/${event}`, ready: heading('Create grant') },
  { name: 'audit-streams', path: ({ estate }) => `/audit/streams?account=${estate.id}`, ready: row('SIEM') },
  { name: 'sessions', path: () => '/sessions', ready: row('Exit') },
  {
    name: 'sessions-none',
    path: ({ estate }) => `/sessions?account=${estate.id}&person=nobody%40warren.example`,
    ready: (page) => page.getByText('No sessions match'),
  },
  {
    name: 'sessions-search',
    path: () => '/sessions?search=uname',
    ready: (page) => page.getByRole('link', { name: /uname/ }).first(),
  },
  {
    name: 'session',
    path: ({ recording }) => `/sessions/${recording}?t=2.5`,
    ready: (page) => page.getByRole('button', { name: 'Play', exact: true }),
  },
  {
    name: 'session-details',
    path: ({ recording }) => `/sessions/${recording}?t=2`,
    ready: (page) => page.getByText('Every byte of output is there, and its end is signed.'),
    show: async (page) => {
      const panel = page.getByRole('button', { name: 'Details and moments' });
      await panel.waitFor();
      // On a phone it is closed at first.
      if ((await panel.getAttribute('aria-pressed')) === 'false') await panel.click();
      await page.getByRole('tab', { name: 'Details' }).click();
    },
    hide: (page) => page.getByRole('tab', { name: 'Moments' }).click(),
  },
  {
    name: 'session-desktop',
    path: ({ recordedDesktop }) => `/sessions/${recordedDesktop}`,
    ready: (page) => page.getByRole('button', { name: 'Play again' }),
  },
  {
    name: 'recording-settings',
    path: ({ estate }) => `/recording/${estate.id}`,
    ready: (page) => page.getByRole('textbox', { name: 'Redaction rules' }),
    show: (page) => page.getByRole('radio', { name: /Required/ }).check(),
    hide: (page) => page.getByRole('radio', { name: /Off/ }).check(),
  },
  { name: 'profile', path: () => '/profile', ready: heading('Edit Profile') },
  { name: 'updates', path: () => '/updates', ready: heading('Updates') },
  {
    name: 'jobs',
    path: ({ job }) => `/jobs?job=${job}`,
    ready: (page) => page.getByRole('region', { name: 'Failures' }),
  },
  {
    name: 'rollout-devices',
    path: () => '/updates',
    ready: (page) => page.getByRole('button', { name: 'Hide devices' }),
    show: (page) => page.getByRole('button', { name: 'Show devices' }).first().click(),
    hide: (page) => page.getByRole('button', { name: 'Hide devices' }).click(),
  },
  {
    name: 'update-window',
    path: ({ estate }) => `/updates/${estate.id}`,
    ready: (page) => page.getByText('Devices may be updated at any time.'),
  },
  {
    name: 'limits',
    path: ({ estate }) => `/limits/${estate.id}`,
    ready: (page) => page.getByRole('listitem').filter({ hasText: 'API calls' }),
  },
  {
    name: 'tokens',
    path: () => '/profile/tokens',
    ready: (page) => page.getByRole('table', { name: 'API tokens' }).or(page.getByText('No API tokens')),
  },
  {
    name: 'tokens-account',
    path: ({ estate }) => `/tokens/${estate.id}`,
    ready: (page) => page.getByRole('table', { name: 'API tokens' }).or(page.getByText('No API tokens')),
  },
  {
    name: 'service-accounts',
    path: ({ estate }) => `/service-accounts/${estate.id}`,
    ready: (page) => page.getByRole('table', { name: 'Service accounts' }).or(page.getByText('No service accounts')),
  },
  ...guestPages,
  {
    name: 'guest-links',
    who: 'user',
    path: ({ estate, device }) => `/devices/${estate.id}/${device.id}`,
    ready: (page) => page.getByRole('region', { name: 'Guest links' }),
  },
  {
    name: 'domains',
    path: ({ estate }) => `/domains/${estate.id}`,
    ready: (page) => page.getByRole('list', { name: 'Domains' }).or(page.getByText('No domains')),
  },
  {
    name: 'scim',
    path: ({ estate }) => `/scim/${estate.id}`,
    ready: (page) => page.getByRole('table', { name: 'SCIM tokens' }).or(page.getByText('No SCIM tokens')),
  },
  {
    name: 'usage',
    path: ({ estate }) => `/usage/${estate.id}`,
    ready: (page) => page.getByRole('table', { name: 'Usage by day' }).getByRole('row').nth(1),
  },
  { name: 'access', path: ({ estate }) => `/access/${estate.id}`, ready: row('Field crew') },
  { name: 'requests', path: ({ estate }) => `/requests/${estate.id}`, ready: row('Uma Reed') },
  { name: 'settings', path: () => '/settings', ready: (page) => page.getByText('Version') },
  {
    name: 'device-page',
    path: ({ estate, machine }) => `/devices/${estate.id}/${machine}`,
    ready: (page) => page.getByRole('region', { name: 'Labels' }),
  },
  ...accessPages,
  {
    name: 'device-terminals',
    path: ({ estate, machine }) => `/devices/${estate.id}/${machine}?tab=terminal&split=below`,
    ready: (page) => page.locator('[data-pane="2"] [role=status][data-state=connected]'),
  },
  {
    name: 'compare',
    path: ({ machine, away }) => `/devices/compare/${machine}?with=${away}`,
    ready: (page) => page.getByRole('row', { name: /^Kernel/ }),
  },
  { name: 'device', path: ({ machine }) => `/device/ssh/${machine}`, ready: terminal },
  { name: 'device-details', path: ({ machine }) => `/device/ssh/${machine}`, ...deviceTab('Device details') },
  { name: 'device-wormhole', path: ({ machine }) => `/device/ssh/${machine}`, ...deviceTab('Wormhole') },
  {
    name: 'device-logs',
    path: ({ machine }) => `/device/ssh/${machine}`,
    ...deviceTab('Logs'),
    // The journal's state, or why there is none.
    ready: (page) => panel('Logs')(page).locator('[data-state], [role=alert]').first(),
  },
  { name: 'device-delete', path: ({ machine }) => `/device/ssh/${machine}`, ...deviceTab('Delete device') },
  {
    name: 'device-desktop',
    path: ({ machine }) => `/device/rdp/${machine}`,
    // The desktop, or why there is none.
    ready: (page) => page.locator('[role=status][data-state=connected], [role=alert]').first(),
  },
  {
    name: 'device-web',
    path: ({ web }) => `/device/web/${web}`,
    // The page, or why it can't be seen.
    ready: (page) => page.locator('main iframe').or(page.getByText(/ is not connected\./)),
  },
  {
    name: 'device-gone',
    path: () => '/device/ssh/00000000-0000-7000-8000-000000000000',
    ready: (page) => page.getByText('Failed to fetch device details'),
  },
  ...entryPages,
  { name: 'lost', path: () => '/no/such/page', ready: (page) => page.getByText("UH OH! You're lost.") },
];
