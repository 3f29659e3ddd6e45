import type { Page } from '@playwright/test';
import { TerminalPage } from '../../pages/terminal.ts';
import { endTerminals } from '../../support/api.ts';
import { expect, test } from '../../support/test.ts';

/** The list of one's own terminals on a device's page. */
function listOf(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Your terminals' });
  return {
    dialog,
    rows: dialog.getByRole('listitem'),
    open: () => page.getByRole('button', { name: 'Your terminals' }).click(),
    row: (command: string) => dialog.getByRole('listitem', { name: command }),
  };
}

test('own terminals are listed, taken over from another window, and ended', async ({ enter, warren }) => {
  const first = new TerminalPage(await enter('superAdmin'));
  await endTerminals(first.page.request, warren.facts.hub, warren.facts.device.id);
  await first.openReady(warren.facts.device.id);
  await first.run('echo here-it-is; exec cat');
  await first.expectLine('here-it-is');

  const page = await first.page.context().newPage();
  const second = new TerminalPage(page);
  await second.openReady(warren.facts.device.id);
  const list = listOf(page);
  await list.open();
  await expect(list.rows).toHaveCount(2);
  await expect(list.row('bash')).toContainText('In this window');
  await expect(list.row('cat')).toContainText('Open in another window');
  await list.row('cat').getByRole('button', { name: 'Take over' }).click();
  await second.expectLine('here-it-is');
  await second.run('typed in the second window');
  await second.expectLine('typed in the second window');

  await first.expectState('disconnected');
  await expect(first.page.getByText('This terminal was opened in another window.').first()).toBeVisible();
  await first.reconnect.click();
  await first.expectLine('typed in the second window');
  await second.expectState('disconnected');

  await list.open();
  await expect(list.row('bash')).toContainText('Detached');
  await list.row('cat').getByRole('button', { name: 'End' }).click();
  await list.dialog.getByRole('button', { name: 'Keep' }).click();
  await list.row('cat').getByRole('button', { name: 'End' }).click();
  await list.dialog.getByRole('button', { name: 'End terminal' }).click();
  await expect(list.rows).toHaveCount(1);
  await first.expectState('exit');
  await list.row('bash').getByRole('button', { name: 'Return' }).click();
  await second.expectState('connected');
  await second.run('echo $((6*7))');
  await second.expectLine('42');
});

test('people see only their own terminals', async ({ enter, warren }) => {
  const terminal = new TerminalPage(await enter('superAdmin'));
  await terminal.open(warren.facts.device.id);
  const other = new TerminalPage(await enter('member'));
  await endTerminals(other.page.request, warren.facts.hub, warren.facts.device.id);
  await other.open(warren.facts.device.id);
  const list = listOf(other.page);
  await list.open();
  await expect(list.rows).toHaveCount(1);
  await expect(list.rows.first()).toContainText('In this window');
});

test('a reload in the middle of output comes back to the same shell, with every line', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const terminal = new TerminalPage(page);
  await terminal.openReady(warren.facts.device.id);
  await terminal.run('for n in 1 2 3 4 5 6 7 8; do echo "line $n"; sleep 0.4; done');
  await terminal.expectLine('line 2');
  await page.reload();
  await terminal.expectState('connected');
  await terminal.expectLine('line 8');
  const counted = (await terminal.lines()).filter((line) => line.startsWith('line '));
  expect(counted).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `line ${n}`));
});
