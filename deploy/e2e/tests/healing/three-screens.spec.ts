import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { TerminalPage } from '../../pages/terminal.ts';
import { endTerminals } from '../../support/api.ts';
import { person, type Who } from '../../support/people.ts';
import { bytesOf, recordingOf, setRecording } from '../../support/recordings.ts';
import { expect, test } from '../../support/test.ts';

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
const LINES = 100;

const people = (page: Page) => page.getByRole('button', { name: 'People in this terminal' });

/** The address that opens the terminal of a page. */
async function linkOf(page: Page): Promise<string> {
  await people(page).click();
  const link = await page.locator('[data-link]').getAttribute('data-link');
  await page.keyboard.press('Escape');
  return link ?? '';
}

/** Types a command in one window; the others show who does, where their bar is wide enough, and all of them its output. */
async function typedBy(who: Who, writer: TerminalPage, others: TerminalPage[], mark: string): Promise<void> {
  const said = `${person(who).email} types`;
  const wide = others.filter(({ page }) => page.viewportSize()?.width !== phone.viewport.width);
  // Shown while the person types, and for 1.5 s more: looked for in the pages.
  const seen = wide.map(({ page }) =>
    page.waitForFunction((text) => document.body.innerText.split('\n').includes(text), said, { polling: 100 }),
  );
  await Promise.all([writer.run(`echo ${mark}-$((6*7))`), ...seen]);
  for (const screen of [writer, ...others]) await screen.expectLine(`${mark}-42`);
}

/** What all screens show once it is the same. */
async function shownBy(screens: TerminalPage[]): Promise<string> {
  const drawn = async () => {
    const texts = await Promise.all(screens.map(async (screen) => (await screen.lines()).filter(Boolean).join('\n')));
    return [...new Set(texts)];
  };
  await expect.poll(drawn).toHaveLength(1);
  return (await drawn())[0] ?? '';
}

/** Clears what was drawn in another size. */
async function clear(owner: TerminalPage, others: TerminalPage[]): Promise<void> {
  await owner.clear();
  for (const screen of others) await screen.expectPrompt();
}

test('two browsers and a phone share a recorded terminal, and all three type on when its agent was killed', async ({
  enter,
  warren,
}) => {
  test.setTimeout(300_000);
  const { hub, device } = warren.facts;
  const owner = new TerminalPage(await enter('superAdmin'));
  const second = new TerminalPage(await enter('admin'));
  const third = new TerminalPage(await enter('member', phone));
  const screens = [owner, second, third];
  const { request } = owner.page;
  const folder = await mkdtemp(join(tmpdir(), 'warren-shared-'));
  const asks = owner.page.getByRole('alert').filter({ hasText: 'asks to' });
  const answer = (name: string) => asks.getByRole('button', { name }).click();
  await endTerminals(request, hub, device.id);
  await setRecording(request, hub, device.account, 'required');
  try {
    await owner.openReady(device.id);
    const link = await linkOf(owner.page);
    await second.page.goto(link);
    await answer('Let type');
    await second.expectState('connected');

    await test.step('the phone follows', async () => {
      await third.page.goto(link);
      await answer('Let watch');
      await third.expectState('connected');
      await expect(third.page.getByText('You watch the terminal of')).toBeVisible();
      await clear(owner, [second, third]);
      await typedBy('admin', second, [owner, third], 'before');
      await third.type('x');
      await typedBy('superAdmin', owner, [second, third], 'after');
      expect(await shownBy(screens)).not.toContain('xecho');
    });

    await test.step('the phone asks for control, and its screen counts', async () => {
      const cols = async () => /^\d+ (\d+)$/m.exec(await shownBy(screens))?.[1];
      await owner.run('clear; stty size');
      await expect.poll(cols).toBeDefined();
      const wide = Number(await cols());
      await people(third.page).tap();
      await third.page.getByRole('button', { name: 'Ask for control' }).tap();
      await expect(asks).toContainText('asks to type');
      await answer('Let type');
      await expect(third.page.getByText('You type in the terminal of')).toBeVisible();
      await third.page.keyboard.press('Escape');
      await third.run('clear; stty size');
      await expect.poll(async () => Number(await cols())).toBeLessThan(wide);
      await clear(owner, [second, third]);
      await typedBy('member', third, [owner, second], 'phone');
      await shownBy(screens);
    });

    await test.step('the agent is killed', async () => {
      await owner.run(`cd ${folder}; clear`);
      await owner.run(`for n in $(seq ${LINES}); do echo line-$n; sleep 0.1; done | tee lines`);
      for (const screen of screens) await screen.expectLine(/^line-\d+$/);
      await warren.hold('agent');
      for (const screen of screens) await screen.expectState('client_disconnect');
      await warren.start('agent');
      for (const screen of screens) await screen.expectState('connected');
      for (const screen of screens) await screen.expectLine(`line-${LINES}`);
      await shownBy(screens);
      await typedBy('member', third, [owner, second], 'third');
      await typedBy('admin', second, [owner, third], 'second');
      await typedBy('superAdmin', owner, [second, third], 'first');
      await shownBy(screens);
    });

    await owner.run('exit 3');
    for (const screen of screens) await screen.expectState('exit');
    const session = new URL(link).searchParams.get('session') ?? '';
    const { id, exit, gaps } = await recordingOf(request, device.account, session);
    expect([exit, gaps]).toEqual([3, 0]);
    const recorded = (await bytesOf(request, id)).toString();
    const lines = await readFile(join(folder, 'lines'), 'utf8');
    expect(lines.split('\n')).toHaveLength(LINES + 1);
    expect(recorded).toContain(lines.replaceAll('\n', '\r\n'));
    const counts = ['before', 'after', 'phone', 'third', 'second', 'first'].map(
      (mark) => recorded.split(`${mark}-42\r\n`).length - 1,
    );
    expect(counts).toEqual([1, 1, 1, 1, 1, 1]);
  } finally {
    await setRecording(request, hub, device.account, 'off');
    await rm(folder, { recursive: true });
  }
});
