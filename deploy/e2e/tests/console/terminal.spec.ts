import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DevicesPage } from '../../pages/devices.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { SOAK } from '../../support/soak.ts';
import { expect, measured, test } from '../../support/test.ts';
import { WireTerminal } from '../../support/wire.ts';

const MiB = 1024 ** 2;

test('the operator opens the shell from the list and computes', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const list = new DevicesPage(page);
  await list.open(warren.facts.device.account);
  await list.rows.getByRole('link', { name: /^Open console of/ }).click();
  await expect(page).toHaveURL(`/device/ssh/${warren.facts.device.id}`);
  const terminal = new TerminalPage(page);
  await terminal.expectState('connected');
  await terminal.run('echo $((6*7))');
  await terminal.expectLine('42');
});

test('a Member of the account opens the shell, too', SOAK, async ({ enter, warren }) => {
  const terminal = new TerminalPage(await enter('member'));
  await terminal.openReady(warren.facts.device.id);
  await terminal.run('echo $((6*7))');
  await terminal.expectLine('42');
});

test('the shell is a login shell of the person who runs the agent', async ({ enter, warren }) => {
  const { userInfo } = await import('node:os');
  const terminal = new TerminalPage(await enter('superAdmin'));
  await terminal.openReady(warren.facts.device.id);
  await terminal.run('echo "$(id -un):$TERM:$(ps -o args= -p $$)"');
  // A login shell by its option, or by the dash before its name (login(1)).
  await terminal.expectLine(new RegExp(`^${userInfo().username}:xterm-256color:(-|.* (-l|--login)$)`));
});

test('the shell has the size of the window, and follows it', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const terminal = new TerminalPage(page);
  await terminal.openReady(warren.facts.device.id);
  const size = async () => {
    await terminal.clear();
    await terminal.run('stty size');
    await terminal.expectLine(/^\d+ \d+$/);
    const [rows = 0, cols = 0] =
      (await terminal.lines())
        .find((line) => /^\d+ \d+$/.test(line))
        ?.split(' ')
        .map(Number) ?? [];
    return { rows, cols, drawn: await terminal.rows() };
  };
  const before = await size();
  expect(before.rows).toBe(before.drawn);
  await page.setViewportSize({ width: 900, height: 560 });
  await expect.poll(() => terminal.rows()).toBeLessThan(before.rows);
  const after = await size();
  expect(after.rows).toBe(after.drawn);
  expect(after.cols).toBeLessThan(before.cols);
});

test('vim edits a file', async ({ enter, warren }) => {
  const folder = await mkdtemp(join(tmpdir(), 'warren-vim-'));
  const page = await enter('superAdmin');
  const terminal = new TerminalPage(page);
  try {
    await terminal.openReady(warren.facts.device.id);
    await terminal.run(`vim -u NONE ${folder}/note`);
    await terminal.expectLine('~');
    await terminal.type('ihello from the browser');
    await terminal.press('Escape');
    await terminal.expectLine('hello from the browser');
    await terminal.type(':wq');
    await terminal.press('Enter');
    await terminal.expectPrompt();
    expect(await readFile(join(folder, 'note'), 'utf8')).toBe('hello from the browser\n');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('top runs, and quits', SOAK, async ({ enter, warren }) => {
  const terminal = new TerminalPage(await enter('superAdmin'));
  await terminal.openReady(warren.facts.device.id);
  await terminal.run('top');
  await terminal.expectLine(/^\s*PID USER/);
  await terminal.expectLine(/^top - \d\d:\d\d:\d\d up/);
  await terminal.type('q');
  await terminal.expectPrompt();
});

test.describe('UTF-8', () => {
  const texts: [name: string, text: string, columns: number][] = [
    ['accents', 'grüße naïve', 11],
    ['CJK', '漢字かな한글', 12],
    ['emoji', '🐇🚀', 4],
    ['combining marks', 'e\u0301a\u0308o\u0302', 3],
    ['box drawing', '┌─┬─┐', 5],
  ];
  const octal = (text: string) =>
    [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');

  test('is drawn right and takes the columns that it should', async ({ enter, warren }) => {
    const terminal = new TerminalPage(await enter('superAdmin'));
    await terminal.openReady(warren.facts.device.id);
    for (const [name, text, columns] of texts) {
      await terminal.clear();
      // The terminal itself says at which column its cursor stands (DSR, ECMA-48 8.3.35).
      await terminal.run(`printf '${octal(text)}\\033[6n'; IFS=';' read -rsd R _ at; echo; echo "at $at"`);
      await terminal.expectLine(`at ${columns + 1}`);
      expect(
        (await terminal.lines()).map((line) => line.normalize('NFC')),
        name,
      ).toContain(text.normalize('NFC'));
    }
  });

  test('is whole when its bytes come in different frames', SOAK, async ({ enter, warren }) => {
    const terminal = new TerminalPage(await enter('superAdmin'));
    await terminal.openReady(warren.facts.device.id);
    const halves = [...Buffer.from('漢🐇')].map((byte) => `printf '\\${byte.toString(8)}'; sleep 0.1`);
    await terminal.run(`${halves.join('; ')}; echo`);
    await terminal.expectLine('漢🐇');
  });
});

test('Ctrl-C stops yes at once, again and again', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const terminal = new TerminalPage(page);
  await terminal.openReady(warren.facts.device.id);
  for (let round = 0; round < 3; round++) {
    await terminal.run('yes');
    await expect.poll(async () => (await terminal.lines()).filter((line) => line === 'y').length).toBeGreaterThan(5);
    const took = await terminal.interrupt();
    measured('Ctrl-C under yes, to the prompt drawn', took, 'ms');
    expect(took).toBeLessThan(2000);
    await terminal.clear();
  }
});

test('Ctrl-C under yes takes effect within 200 ms on the wire', async ({ enter, warren }) => {
  const { request } = await enter('superAdmin');
  const wire = await WireTerminal.ofDevice(request, warren.facts.hub, warren.facts.device.id);
  try {
    for (let round = 0; round < 3; round++) {
      wire.type('yes\r');
      await wire.receive(4 * MiB);
      const pressed = performance.now();
      wire.type('\x03');
      await wire.until('^C');
      const took = performance.now() - pressed;
      measured('Ctrl-C under yes, to ^C received', took, 'ms');
      expect(took).toBeLessThan(1000);
    }
  } finally {
    wire.close();
  }
});

test('a shell that ends says so, and Reconnect opens another', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const terminal = new TerminalPage(page);
  await terminal.openReady(warren.facts.device.id);
  await terminal.run('seq 101 105; exit 3');
  await terminal.expectState('exit');
  await expect(page.getByText('The shell has ended.').first()).toBeVisible();
  await expect(page.getByText('Exit code 3')).toBeVisible();
  await terminal.reconnect.click();
  await terminal.expectState('connected');
  await terminal.run('echo $((6*7))');
  await terminal.expectLine('42');
  // The former shell's output stays above.
  const lines = (await terminal.lines()).filter((line) => /^(10[1-5]|42)$/.test(line));
  expect(lines).toEqual(['101', '102', '103', '104', '105', '42']);
});

test('a server that does not answer is an error after 5 seconds, and Reconnect gets through', async ({
  enter,
  warren,
}) => {
  const page = await enter('superAdmin');
  let silent = true;
  await page.routeWebSocket(/\/socketsio\//, (socket) => void (silent || socket.connectToServer()));
  const terminal = new TerminalPage(page);
  // Shown for 5 seconds only.
  const connecting = expect(terminal.status).toHaveText('Connecting to the server…');
  await Promise.all([page.goto(`/device/ssh/${warren.facts.device.id}`), connecting]);
  const since = Date.now();
  await expect(terminal.status).toHaveAttribute('data-state', 'error', { timeout: 10_000 });
  measured('a silent server, to the error', Date.now() - since, 'ms');
  await expect(terminal.status).toHaveText('Unable to connect to the server.');
  silent = false;
  await terminal.reconnect.click();
  await terminal.expectState('connected');
  await expect(terminal.status).toHaveText('Connected');
});

test('a reload comes back to the same shell', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const terminal = new TerminalPage(page);
  await terminal.openReady(warren.facts.device.id);
  await terminal.run('kept=$((6*7)); echo was here');
  await terminal.expectLine('was here');
  await page.reload();
  await terminal.expectState('connected');
  await terminal.expectLine('was here');
  await terminal.run('echo still $kept');
  await terminal.expectLine('still 42');
});

test('side panels open one at a time', SOAK, async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const terminal = new TerminalPage(page);
  await terminal.open(warren.facts.device.id);
  const tools = page.getByRole('toolbar', { name: 'Device panels' });
  const panel = page.locator('#device-panel');
  await tools.getByRole('button', { name: 'Device details' }).click();
  await expect(panel).toHaveAccessibleName('Device details');
  await expect(panel).toContainText(warren.facts.device.id);
  await expect(panel).toContainText('Total RAM');
  await tools.getByRole('button', { name: 'Wormhole' }).click();
  await expect(panel).toHaveCount(1);
  await expect(panel).toHaveAccessibleName('Wormhole');
  await tools.getByRole('button', { name: 'Wormhole' }).click();
  await expect(panel).toHaveCount(0);
});

test('finds text in what was drawn', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const terminal = new TerminalPage(page);
  await terminal.openReady(warren.facts.device.id);
  await terminal.run('seq 100 200');
  await terminal.expectLine('200');
  await terminal.press('Control+Shift+F');
  await page.getByRole('textbox', { name: 'Find' }).fill('15');
  await expect(page.getByRole('search').getByRole('status')).toHaveText(/^\d+ of 11$/);
});

test('a line that is longer than the window is copied as one line', SOAK, async ({ enter, warren }) => {
  const page = await enter('superAdmin', { permissions: ['clipboard-read', 'clipboard-write'] });
  const terminal = new TerminalPage(page);
  await terminal.openReady(warren.facts.device.id);
  const long = Array.from({ length: 90 }, (_, index) => `item${index}`).join('-');
  await terminal.run(`clear; seq 0 89 | sed 's/^/item/' | paste -sd-`);
  // The prompt alone would be the one before, as long as nothing is drawn.
  await expect.poll(async () => (await terminal.lines()).join('')).toContain(long);
  await terminal.expectPrompt();
  const row = page.locator('.xterm-rows > div').filter({ hasText: 'item0-' }).first();
  await row.click({ clickCount: 3, position: { x: 20, y: 5 }, force: true });
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(long);
});

test('support for screen readers is a switch, and reads what the shell says', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const terminal = new TerminalPage(page);
  await terminal.openReady(warren.facts.device.id);
  await page.getByRole('button', { name: 'Terminal settings' }).click();
  await page.getByRole('switch', { name: 'Screen reader support' }).click({ force: true });
  await page.keyboard.press('Escape');
  await terminal.run('echo $((6*7))');
  await expect(page.getByRole('listitem').filter({ hasText: /^42/ })).toHaveCount(1);
});
