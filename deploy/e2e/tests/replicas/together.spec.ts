import { DevicesPage } from '../../pages/devices.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { device as deviceOf } from '../../support/api.ts';
import { testOnSeparate } from '../../support/separate.ts';
import { expect, measured } from '../../support/test.ts';

/** On an installation that runs all services in one process. */
const test = testOnSeparate('together', { WARREN_SERVICES: 'together' });

test('a shell outlives kill -9 of the process that runs all services, and the list follows', async ({ as, warren }) => {
  const { id, account } = warren.facts.device;
  const shell = await as('superAdmin');
  const terminal = new TerminalPage(shell);
  await terminal.openReady(id);
  await terminal.run('kept=42');
  const page = await shell.context().newPage();
  const list = new DevicesPage(page);
  const { name } = await deviceOf(page.request, id);
  const row = await list.only(account, name);
  await expect(row).toContainText('Connected');

  const since = Date.now();
  await warren.kill('hub');
  await warren.ready('hub');
  await shell.bringToFront();
  await terminal.expectState('connected');
  await terminal.run('echo still $kept');
  await terminal.expectLine('still 42');
  measured('hub killed, to a shell in use again', Date.now() - since, 'ms');

  await page.bringToFront();
  await warren.hold('agent');
  // The first word lasts for seconds only.
  await expect(row).toContainText(/Reconnecting|Disconnected/);
  await warren.start('agent');
  await expect(row.getByText('Connected', { exact: true })).toBeVisible();
});
