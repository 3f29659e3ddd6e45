import type { Page } from '@playwright/test';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalEchoPage } from '../../pages/local-echo.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { Rig } from '../../support/rig.ts';
import { SOAK } from '../../support/soak.ts';
import { expect, measured, test } from '../../support/test.ts';

/** Each way, in ms. */
const DELAY = 150;
const PAUSE = 120;
/** 5 %; the sender asks after two round trips what is missing (RFC 8985, 7.2). */
const LOSS = { of: 20, again: 4 * DELAY };

const median = (values: (number | null)[]): number =>
  values.map((value) => value ?? Infinity).toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Types a line. @returns the longest round trip of a key, ms */
async function typeLine(echo: LocalEchoPage): Promise<number> {
  const { typed } = await echo.type('echo the quick brown fox jumps over the lazy dog', PAUSE);
  const visible = median(typed.map((key) => key.visible));
  const roundTrip = median(typed.map((key) => key.real));
  measured('key to visible echo at 300 ms, median', visible, 'ms');
  measured('key to the frame that shows it, median', median(typed.map((key) => key.frame)), 'ms');
  measured('key to the echo of the device, median', roundTrip, 'ms');
  expect(roundTrip).toBeGreaterThan(2 * DELAY);
  expect(visible).toBeLessThan(roundTrip);
  // A device that is busy for a moment hides some, until its echo comes.
  const hidden = typed.filter((key) => key.removed !== null);
  measured('characters that were hidden for a moment', hidden.length, `of ${typed.length}`);
  await expect(echo.cells).toHaveCount(0);
  return Math.max(...typed.map((key) => key.real ?? 0));
}

/** Types a line whose echo ends in the middle, which no key announces. @returns whether a frame showed the wrong character */
async function mistype(terminal: TerminalPage, echo: LocalEchoPage): Promise<boolean> {
  await terminal.press('Control+c');
  await terminal.expectPrompt();
  await terminal.run(
    `clear; bash -c 'printf "now> "; read -rn 20 a; stty -echo; read -rn 6 b; stty echo; echo; echo "$a+$b"'`,
  );
  await terminal.expectPrompt('now>');
  const wrong = await echo.type('abcdefghijklmnopqrstu', PAUSE, async (watch) => {
    await terminal.expectLine('now> abcdefghijklmnopqrst');
    await echo.expectDisproved(watch, 'u');
  });
  const removed = wrong.typed.at(-1)?.removed ?? null;
  if (removed === null) return false;
  measured('a wrong character, until it disappears', removed, 'ms');
  // The last key has no echo, so its round trip ends with the acknowledgement, or with a usual echo if that is later.
  const usual = wrong.typed.map((key) => key.real ?? 0).toSorted((a, b) => b - a)[0] ?? 0;
  const longest = Math.max(wrong.accepted ?? Infinity, usual) + 50;
  measured('the same after a round trip and 50 ms', removed - longest, 'ms');
  // A busy machine calls a timer and draws a frame late, by as much as it does between other frames.
  expect(wrong.accepted).toBeGreaterThan(2 * DELAY);
  expect(removed).toBeLessThanOrEqual(longest + 2 * wrong.lag);
  const more = await echo.type('vwxyz', PAUSE, () => terminal.expectLine('abcdefghijklmnopqrst+uvwxyz'));
  expect(more.predicted).toBe('');
  await expect(echo.cells).toHaveCount(0);
  return true;
}

/** Types right and wrong. @returns the longest round trip of a key, ms */
async function typeAndMistype(page: Page, rig: Rig): Promise<number> {
  const terminal = new TerminalPage(page);
  const echo = new LocalEchoPage(page);
  await echo.hearAcknowledgements();
  await terminal.openReady(rig.device);
  await expect(echo.sign).toBeVisible();
  const roundTrip = await typeLine(echo);
  // A page that is too busy to draw for a round trip never shows the wrong character.
  let shown = false;
  for (let tries = 0; !shown && tries < 3; tries += 1) shown = await mistype(terminal, echo);
  expect(shown).toBe(true);
  return roundTrip;
}

test.describe('a device with a round trip of 300 ms', () => {
  let rig: Rig;
  test.beforeAll(async ({ browser, warren }) => {
    rig = await Rig.make(browser, warren);
    rig.agentSide.weather = { delay: DELAY, rate: Infinity };
  });
  test.afterAll(() => rig.remove());

  test('typed characters are visible at once, and wrong ones disappear', async ({ enter }) => {
    await typeAndMistype(await enter('superAdmin'), rig);
  });

  test('so they are if 5 % are lost', SOAK, async ({ enter }) => {
    rig.agentSide.weather = { delay: DELAY, rate: Infinity, loss: LOSS };
    try {
      expect(await typeAndMistype(await enter('superAdmin'), rig)).toBeGreaterThan(2 * DELAY + LOSS.again);
    } finally {
      rig.agentSide.weather = { delay: DELAY, rate: Infinity };
    }
  });

  test('nothing of a password is shown', async ({ enter }) => {
    const page = await enter('superAdmin');
    const terminal = new TerminalPage(page);
    const echo = new LocalEchoPage(page);
    await terminal.openReady(rig.device);
    for (const question of ['read -rsp "Password: " p', 'stty -echo; printf "Password: "; read -r p; stty echo']) {
      await terminal.run(`clear; ${question}; echo; echo $\{#p}`);
      await terminal.expectPrompt('Password:');
      // Its length comes after the device has accepted each character.
      const { predicted } = await echo.type('secret', PAUSE, async () => {
        await terminal.press('Enter');
        await terminal.expectLine('6');
        await terminal.expectPrompt();
      });
      expect(predicted).toBe('');
    }
  });

  test('vim edits, and Never shows nothing', async ({ enter }) => {
    const folder = await mkdtemp(join(tmpdir(), 'warren-echo-'));
    const page = await enter('superAdmin');
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
      // The menu of settings had the focus.
      await terminal.focus();
      const { typed, predicted } = await echo.type('echo hello', PAUSE);
      expect(predicted).toBe('');
      expect(typed.map((key) => key.visible)).toEqual(typed.map((key) => key.real));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

test('a fast line has no local echo', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const terminal = new TerminalPage(page);
  const echo = new LocalEchoPage(page);
  await terminal.openReady(warren.facts.device.id);
  // On a busy machine even this line is slow at times.
  await expect(async () => {
    const { typed, predicted } = await echo.type('echo the quick brown fox', 50);
    await terminal.press('Control+c');
    await terminal.expectPrompt();
    measured('key to visible echo on a fast line, median', median(typed.map((key) => key.visible)), 'ms');
    expect(predicted).toBe('');
  }).toPass({ timeout: 60_000 });
});
