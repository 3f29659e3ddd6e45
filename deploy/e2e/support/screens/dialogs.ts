import type { Page } from '@playwright/test';
import { device as read } from '../api.ts';
import { accessDialogs } from './access.ts';
import { deviceLists } from './device.lists.ts';
import { guestDialogs } from './guests.ts';
import { dialog, fromButton, fromMenu, menu, press, rowMenu, type Named } from './openers.ts';
import { provisioningDialogs } from './provisioning.ts';
import type { Scene } from './scene.ts';
import type { Screen } from './screen.ts';
import { tokenDialogs } from './tokens.ts';
import { VIEWS } from './views.ts';

const accounts: Named = ({ estate }) => `/accounts?search=${estate.name.replaceAll(' ', '+')}`;
const account: Named = ({ estate }) => estate.name;
const groups: Named = ({ estate }) => `/groups/${estate.id}`;
const group: Named = () => 'Field crew';
const users: Named = ({ estate }) => `/users/${estate.id}`;
const user: Named = () => 'Uma Reed';
const devices: Named = ({ estate }) => `/devices/${estate.id}`;
const device: Named = ({ device: { name } }) => name;
const machine: Named = ({ machine: id }) => `/device/ssh/${id}`;
const alertRules: Named = ({ estate }) => `/alerts/rules?account=${estate.id}`;
const channels: Named = ({ estate }) => `/alerts/channels?account=${estate.id}`;
const streams: Named = ({ estate }) => `/audit/streams?account=${estate.id}`;
const session: Named = ({ recording }) => `/sessions/${recording}?t=2.5`;
const userMenu = (page: Page) => page.getByRole('button', { name: /^Your menu/ }).click();

/** Selects all devices of a page, and opens the menu of what can be done with them. */
async function openBulkMenu(page: Page, { device: { name } }: Scene): Promise<void> {
  await page.getByRole('row').filter({ hasText: name }).first().waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: /^Actions on/ }).click();
}

async function closeBulk(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear selection' }).click();
}

/** Chooses what is done with a recording. */
async function manageRecording(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Every dialog, and the menus of the shell. */
export const dialogs: readonly Screen[] = [
  { name: 'export-recording', ...fromButton(session, 'Export', 'Export recording') },
  { name: 'player-keys', path: session, ready: dialog('Keyboard shortcuts'), show: (page) => page.keyboard.press('?') },
  {
    name: 'hold-recording',
    path: session,
    ready: dialog('Place legal hold'),
    show: (page) => manageRecording(page, 'Place legal hold'),
  },
  {
    name: 'delete-recording',
    path: session,
    ready: dialog('Delete recording'),
    show: (page) => manageRecording(page, 'Delete recording'),
  },
  ...tokenDialogs,
  ...provisioningDialogs,
  ...guestDialogs,
  ...accessDialogs,
  ...VIEWS,
  ...deviceLists,
  {
    name: 'bulk-actions',
    path: devices,
    ready: menu,
    show: openBulkMenu,
    hide: closeBulk,
  },
  {
    name: 'bulk-reboot',
    path: devices,
    ready: dialog(/^Reboot \d+ devices?$/),
    show: async (page, scene) => {
      await openBulkMenu(page, scene);
      await page.getByRole('menuitem', { name: 'Reboot' }).click();
    },
    hide: closeBulk,
  },
  { name: 'account-actions', ...rowMenu(accounts, account) },
  { name: 'group-actions', ...rowMenu(groups, group) },
  { name: 'user-actions', ...rowMenu(users, user) },
  { name: 'device-actions', ...rowMenu(devices, device) },
  { name: 'create-account', ...fromButton(() => '/accounts', 'Create account', 'Create account') },
  { name: 'change-owner', ...fromMenu(accounts, account, 'Change owner', 'Change owner') },
  { name: 'disable-account', ...fromMenu(accounts, account, 'Disable account', 'Disable account') },
  { name: 'delete-account', ...fromMenu(accounts, account, 'Delete account', 'Delete account') },
  { name: 'create-group', ...fromButton(groups, 'Create group', 'Create group') },
  { name: 'add-group-members', ...fromButton(groups, 'Invite Users', 'Add group members') },
  { name: 'delete-group', ...fromMenu(groups, group, 'Delete group', 'Delete group') },
  { name: 'change-group', ...fromMenu(users, user, 'Change Group', 'Change user group') },
  { name: 'disable-user', ...fromMenu(users, user, 'Disable', 'Disable user') },
  { name: 'reset-sign-in', ...fromMenu(users, user, 'Reset sign-in', 'Reset sign-in') },
  { name: 'delete-user', ...fromMenu(users, user, 'Delete', 'Delete user') },
  {
    name: 'cancel-invitation',
    path: users,
    ready: dialog('Cancel invitation'),
    show: (page, { link }) => press(page, `Cancel invitation of ${link.email}`),
  },
  {
    name: 'device-details-modal',
    path: devices,
    ready: dialog('Device Details'),
    show: (page, { device: { name } }) => page.getByRole('link', { name, exact: true }).first().click(),
  },
  { name: 'change-hostname', ...fromMenu(devices, device, 'Change Name', 'Change Hostname') },
  { name: 'manage-device', ...fromMenu(devices, device, 'Disable Console', 'Manage device') },
  { name: 'enable-webservice', ...fromMenu(devices, device, 'Enable Web', 'Enable Webservice') },
  { name: 'place-desktop', ...fromMenu(devices, device, 'VNC Address', 'VNC Address') },
  { name: 'move-device', ...fromMenu(devices, device, 'Change Account', 'Change Account') },
  { name: 'delete-device', ...fromMenu(devices, device, 'Delete', 'Delete device') },
  {
    name: 'device-page-actions',
    path: ({ estate, machine: id }) => `/devices/${estate.id}/${id}`,
    ready: menu,
    show: async (page, { machine: id }) => {
      const { custom_name: custom, name } = await read(page.request, id);
      await press(page, `Actions for ${custom || name}`);
    },
  },
  { name: 'add-device', ...fromButton(devices, 'Add device', 'Add device') },
  {
    name: 'change-key',
    path: machine,
    ready: dialog('Change Key'),
    // Offered for a device that is there, which is found by its serial.
    show: async (page, scene) => {
      const { account, custom_name, serial } = await read(page.request, scene.machine);
      await page.goto(`/devices/${account.id}?search=${serial}`);
      await press(page, `Actions for ${custom_name}`);
      await page.getByRole('menuitem', { name: 'Change Key', exact: true }).click();
    },
  },
  {
    name: 'reboot',
    path: machine,
    ready: dialog('Reboot Device'),
    show: async (page) => {
      await press(page, 'Device details');
      await press(page, 'Reboot Device');
    },
    // The panel lies over the bar with what the next ones are opened from.
    hide: async (page) => {
      await page.keyboard.press('Escape');
      await press(page, 'Device details');
    },
  },
  {
    name: 'replace-hardware',
    path: ({ away }) => `/device/ssh/${away}`,
    ready: dialog('Replace hardware'),
    show: async (page) => {
      await press(page, 'Device details');
      await press(page, 'Replace hardware');
    },
    hide: async (page) => {
      await page.keyboard.press('Escape');
      await press(page, 'Device details');
    },
  },
  {
    name: 'terminals',
    ...fromButton(machine, 'Your terminals', 'Your terminals'),
    ready: (page) => dialog('Your terminals')(page).getByRole('listitem').first(),
  },
  { name: 'terminal-settings', ...fromButton(machine, 'Terminal settings', 'Terminal settings') },
  {
    name: 'terminal-people',
    ...fromButton(machine, 'People in this terminal', 'People in this terminal'),
    ready: (page) => dialog('People in this terminal')(page).getByRole('button', { name: 'Copy link' }),
  },
  {
    name: 'acknowledge-alerts',
    path: ({ estate }) => `/alerts?account=${estate.id}`,
    ready: dialog(/^Acknowledge /),
    show: async (page) => {
      await page
        .getByRole('checkbox', { name: /^Select Away/ })
        .first()
        .check();
      await press(page, 'Acknowledge');
    },
  },
  { name: 'new-alert-rule', ...fromButton(alertRules, 'New rule', 'New rule') },
  {
    name: 'new-metric-rule',
    path: alertRules,
    ready: dialog('New rule'),
    show: async (page) => {
      await press(page, 'New rule');
      await page.getByRole('combobox', { name: 'When' }).click();
      await page.getByRole('option', { name: 'A metric was too high or too low' }).click();
      await page.getByRole('textbox', { name: /^Name/ }).fill('Busy for long');
      await page.getByRole('combobox', { name: /^Condition/ }).fill('cpu.avg>80 memory.max>90');
      await page.getByRole('textbox', { name: /^Name/ }).focus();
    },
  },
  { name: 'alert-rule-actions', ...rowMenu(alertRules, () => 'Away') },
  { name: 'delete-alert-rule', ...fromMenu(alertRules, () => 'Away', 'Delete rule', 'Delete rule') },
  {
    name: 'new-alert-silence',
    ...fromButton(({ estate }) => `/alerts/silences?account=${estate.id}`, 'New silence', 'New silence'),
  },
  { name: 'new-alert-channel', ...fromButton(channels, 'New channel', 'New channel') },
  { name: 'edit-alert-channel', ...fromButton(channels, 'On call', 'Edit channel') },
  { name: 'new-audit-stream', ...fromButton(streams, 'New stream', 'New stream') },
  { name: 'edit-audit-stream', ...fromButton(streams, 'SIEM', 'Edit stream') },
  {
    name: 'delete-audit-stream',
    unpictured: true,
    ...fromMenu(streams, () => 'SIEM', 'Delete stream', 'Delete stream'),
  },
  {
    name: 'rotate-audit-stream',
    unpictured: true,
    ...fromMenu(streams, () => 'Archive', 'Rotate signing secret', 'Rotate signing secret'),
  },
  { name: 'new-rollout', ...fromButton(() => '/updates', 'New rollout', 'New rollout') },
  { name: 'roll-back', ...fromButton(() => '/updates', 'Roll back', 'Roll back') },
  { name: 'sign-out-everywhere', ...fromButton(() => '/profile', 'Sign out everywhere', 'Sign out everywhere') },
  {
    name: 'leave-page',
    path: () => '/profile',
    ready: dialog('Leave this page?'),
    show: async (page) => {
      await page.getByLabel('Name').fill('Olivia');
      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Home' }).click();
    },
    hide: (page) => press(page, 'Leave page'),
  },
  { name: 'palette', ...fromButton(() => '/', 'Search everything', /./) },
  {
    name: 'user-menu',
    path: () => '/',
    ready: menu,
    show: userMenu,
  },
  {
    name: 'shortcuts',
    path: () => '/',
    ready: dialog('Keyboard shortcuts'),
    show: async (page) => {
      await userMenu(page);
      await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    },
  },
  {
    name: 'account-choice',
    path: () => '/',
    ready: (page) => page.getByRole('option', { name: 'ALL', exact: true }),
    show: (page) => page.getByRole('combobox', { name: 'Account' }).click(),
  },
];
