import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalEchoPage } from '../../pages/local-echo.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { Rig } from '../../support/rig.ts';
import { expect, measured, test } from '../../support/test.ts';

/** Each way, in ms. */
const DELAY = 150;
const PAUSE = 120;

const median = (values: (number | null)[]): number =>
  values.map((value) => value ?? Infinity).toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test.describe('a device with a round trip of 300 ms', () => {
  let rig: Rig;
  test.beforeAll(async ({ browser, warren }) => {
    rig = await Rig.make(browser, warren);
    rig.agentSide.weather = { delay: DELAY, rate: Infinity };
  });
  test.afterAll(() => rig.remove());

  test('typed characters are visible within 10 ms, and wrong ones for a round trip and 50 ms at most', async ({
    as,
  }) => {
    const page = await as('superAdmin');
    const terminal = new TerminalPage(page);
    const echo = new LocalEchoPage(page);
    await terminal.openReady(rig.device);
    await expect(echo.sign).toBeVisible();
    const { typed } = await echo.type('echo the quick brown fox jumps over the lazy dog', PAUSE, 1_000);
    const visible = median(typed.map((key) => key.visible));
    const roundTrip = median(typed.map((key) => key.real));
    measured('key to visible echo at 300 ms, median', visible, 'ms');
    measured('key to the frame that shows it, median', median(typed.map((key) => key.frame)), 'ms');
    measured('key to the echo of the device, median', roundTrip, 'ms');
    expect(roundTrip).toBeGreaterThan(2 * DELAY);
    expect(visible).toBeLessThan(10);
    // A device that is busy for a moment hides some, until its echo comes.
    const hidden = typed.filter((key) => key.removed !== null);
    measured('characters that were hidden for a moment', hidden.length, `of ${typed.length}`);
    expect(hidden.length).toBeLessThan(typed.length / 4);
    await expect(echo.cells).toHaveCount(0);
    await terminal.press('Control+c');
    await terminal.expectPrompt();

    // Echo ends in the middle of a line, which no key announces.
    await terminal.run(
      `clear; bash -c 'printf "now> "; read -rn 20 a; stty -echo; read -rn 6 b; stty echo; echo; echo "$a+$b"'`,
    );
    await terminal.expectPrompt('now>');
    const wrong = await echo.type('abcdefghijklmnopqrstuvwxyz', PAUSE, 1_000);
    await terminal.expectLine('abcdefghijklmnopqrst+uvwxyz');
    const removed = wrong.typed.flatMap((key) => (key.removed === null ? [] : [key.removed]));
    expect(wrong.predicted).toContain('u');
    expect(removed.length).toBeGreaterThan(0);
    measured('a wrong character, until it disappears', Math.max(...removed), 'ms');
    // On a busy machine a round trip is as long as the slowest echo; a frame may pass until the removal is seen.
    const slowest = Math.max(...[...typed, ...wrong.typed].map((key) => key.real ?? 0));
    expect(Math.max(...removed)).toBeLessThan(slowest + 50 + 17);
    expect(wrong.predicted).not.toContain('y');
  });

  test('nothing of a password is shown', async ({ as }) => {
    const page = await as('superAdmin');
    const terminal = new TerminalPage(page);
    const echo = new LocalEchoPage(page);
    await terminal.openReady(rig.device);
    for (const question of ['read -rsp "Password: " p', 'stty -echo; printf "Password: "; read -r p; stty echo']) {
      await terminal.run(`clear; ${question}; echo; echo $\{#p}`);
      await terminal.expectPrompt('Password:');
      const { predicted } = await echo.type('secret', PAUSE, 500);
      expect(predicted).toBe('');
      await terminal.press('Enter');
      await terminal.expectLine('6');
      await terminal.expectPrompt();
    }
  });

  test('vim edits, and Never shows nothing', async ({ as }) => {
    const folder = await mkdtemp(join(tmpdir(), 'warren-echo-'));
    const page = await as('superAdmin');
    const terminal = new TerminalPage(page);
    const echo = new LocalEchoPage(page);
    try {
      await terminal.openReady(rig.device);
      await terminal.run(`clear; vim -u NONE ${folder}/note`);
      await terminal.expectLine('~');
      await terminal.type('ihello from far away');
      await terminal.press('Escape');
      await terminal.type('0dwx:wq');
      await terminal.press('Enter');
      await terminal.expectPrompt();
      expect(await readFile(join(folder, 'note'), 'utf8')).toBe('rom far away\n');
      await echo.choose('Never');
      await expect(echo.sign).toHaveCount(0);
      const { typed, predicted } = await echo.type('echo hello', PAUSE, 1_000);
      expect(predicted).toBe('');
      expect(median(typed.map((key) => key.visible))).toBeGreaterThan(2 * DELAY);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

test('a fast line has no local echo', async ({ as, warren }) => {
  const page = await as('superAdmin');
  const terminal = new TerminalPage(page);
  const echo = new LocalEchoPage(page);
  await terminal.openReady(warren.facts.device.id);
  const { typed, predicted } = await echo.type('echo the quick brown fox', 50, 200);
  const slowest = Math.max(...typed.map((key) => key.real ?? Infinity));
  measured('key to visible echo on a fast line, median', median(typed.map((key) => key.visible)), 'ms');
  measured('key to visible echo on a fast line, slowest', slowest, 'ms');
  // On a busy machine even this line is slow at times.
  expect(predicted === '' || slowest > 60, predicted).toBe(true);
});
