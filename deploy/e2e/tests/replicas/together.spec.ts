import { join } from 'node:path';
import { silent } from '@warren/local/progress';
import { DevicesPage } from '../../pages/devices.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { device as deviceOf } from '../../support/api.ts';
import { expect, measured, test as base } from '../../support/test.ts';
import { Warren } from '../../support/warren.ts';
import { startStack } from '../../stack/stack.ts';

const logs = join(import.meta.dirname, '../../../../test-results/e2e.together.logs');

/** On an installation that runs all services in one process. */
const test = base.extend<object, { warren: Warren }>({
  warren: [
    // Playwright reads what a fixture needs from its first parameter's pattern.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const environment = { WARREN_SERVICES: 'together' };
      const stack = await startStack(silent, logs, { gateway: 1, tunnels: 1 }, environment);
      try {
        await use(await Warren.find(stack.control));
      } finally {
        await stack.stop();
      }
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

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
  await expect(row.getByText('Reconnecting', { exact: true })).toBeVisible();
  await warren.start('agent');
  await expect(row.getByText('Connected', { exact: true })).toBeVisible();
});
