import type { Page } from '@playwright/test';
import { TerminalPage } from '../../pages/terminal.ts';
import { endTerminals } from '../../support/api.ts';
import { expect, test } from '../../support/test.ts';

/** The list of one's own terminals on a device page. */
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
  // Coming back leaves the other window attached.
  await first.reconnect.click();
  await first.expectLine('typed in the second window');
  await first.run('typed in the first window');
  await second.expectLine('typed in the first window');
  await second.expectState('connected');

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

test('a link opens the same terminal in another tab, and for a person whom its owner lets in', async ({
  enter,
  warren,
}) => {
  const owner = new TerminalPage(await enter('superAdmin'));
  const { hub, device } = warren.facts;
  await endTerminals(owner.page.request, hub, device.id);
  await owner.openReady(device.id);
  const people = (page: Page) => page.getByRole('button', { name: 'People in this terminal' });
  await people(owner.page).click();
  const link = await owner.page.locator('[data-link]').getAttribute('data-link');
  await owner.page.keyboard.press('Escape');

  const tab = new TerminalPage(await owner.page.context().newPage());
  await tab.page.goto(link ?? '');
  await tab.expectState('connected');
  await tab.run('echo typed-in-$((1+1))');
  await owner.expectLine('typed-in-2');
  await owner.expectState('connected');
  await tab.page.close();

  const other = new TerminalPage(await enter('member'));
  await other.page.goto(link ?? '');
  await expect(other.status).toContainText('Waiting for the owner to let you in');
  const request = owner.page.getByRole('alert').filter({ hasText: 'asks to' });
  await request.getByRole('button', { name: 'Decline' }).click();
  await expect(other.page.getByText("The terminal's owner declined.").first()).toBeVisible();
  await other.reconnect.click();
  await expect(other.page.getByText('You can ask again after 10 seconds.').first()).toBeVisible();
  // The page also waits for a moment before it is refused: the owner knows.
  await expect(async () => {
    if (await other.reconnect.isVisible()) await other.reconnect.click({ timeout: 1_000 });
    await expect(request).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await request.getByRole('button', { name: 'Let watch' }).click();
  await other.expectState('connected');
  await other.expectLine('typed-in-2');
  await expect(other.page.getByText('You watch the terminal of')).toBeVisible();
  await other.type('x');

  await people(other.page).click();
  await other.page.getByRole('button', { name: 'Ask for control' }).click();
  await expect(request).toContainText('asks to type');
  await request.getByRole('button', { name: 'Let type' }).click();
  await expect(other.page.getByText('You type in the terminal of')).toBeVisible();
  await other.page.keyboard.press('Escape');
  // Shown while the other types, and for 1.5 s more: looked for in the page.
  const typing = owner.page.waitForFunction(() => /@.* types$/m.test(document.body.innerText), null, { polling: 100 });
  await Promise.all([other.run('echo from-$((6*7))'), typing]);
  await owner.expectLine('from-42');
  await other.expectLine('from-42');
  expect(await owner.lines()).not.toContainEqual(expect.stringContaining('xecho'));

  await people(owner.page).click();
  await owner.page.getByRole('button', { name: /^Actions for/ }).click();
  await owner.page.getByRole('menuitem', { name: 'Hand over control' }).click();
  await expect(owner.page.getByText('You handed over control')).toBeVisible();
  await other.run('echo handed-$((1+1))');
  await owner.expectLine('handed-2');
  await people(owner.page).click();
  await owner.page.getByRole('button', { name: 'Take control' }).click();
  await expect(owner.page.getByText('You handed over control')).toBeHidden();
  await people(owner.page).click();
  await owner.page.getByRole('button', { name: /^Actions for/ }).click();
  await owner.page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(other.page.getByText("The terminal's owner ended your access.").first()).toBeVisible();
  await owner.expectState('connected');
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
