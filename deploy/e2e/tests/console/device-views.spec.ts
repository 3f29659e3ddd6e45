import type { Page } from '@playwright/test';
import { endTerminals } from '../../support/api.ts';
import { violations } from '../../support/axe.ts';
import { expect, test } from '../../support/test.ts';

/** Ten a second. */
const COUNT = 100;

/** A pane of a terminal tab on the device page. */
function paneOf(page: Page, view: string, number = 1) {
  const pane = page.locator(`[data-view="${view}"] [data-pane="${number}"]`);
  return {
    connected: () => expect(pane.locator('[role=status][data-state=connected]')).toBeVisible(),
    run: async (command: string) => {
      await pane.getByRole('textbox').focus();
      await page.keyboard.type(command);
      await page.keyboard.press('Enter');
    },
    input: pane.getByRole('textbox'),
    lines: async () => {
      const texts = await pane.locator('.xterm-rows > div').allTextContents();
      return texts.map((text) => text.replaceAll('\u00a0', ' ').trimEnd());
    },
  };
}

test('a stream in a terminal continues while other views are shown, and no line of it is lost', async ({
  enter,
  warren,
}) => {
  const page = await enter('superAdmin');
  const { hub, device } = warren.facts;
  await endTerminals(page.request, hub, device.id);
  let [sockets, received] = [0, 0];
  page.on('websocket', (socket) => {
    if (!socket.url().includes('terminal')) return;
    sockets += 1;
    socket.on('framereceived', () => (received += 1));
  });
  await page.goto(`/devices/${device.account}/${device.id}`);
  const tab = (name: RegExp) =>
    page.getByRole('navigation', { name: 'Views of the device' }).getByRole('link', { name });
  await tab(/^Terminal/).click();
  const first = paneOf(page, 'terminal-1');
  await first.connected();
  await first.run(`clear; for n in $(seq 1 ${COUNT}); do printf "$n."; sleep 0.1; done; echo end`);
  const counted = async () => (await first.lines()).join('');
  await expect.poll(counted, { intervals: [50] }).toContain('1.2.');

  for (const view of [/^Logs/, /^Desktop/, /^Overview/]) {
    await tab(view).click();
    await expect(tab(view)).toHaveAttribute('aria-current', 'page');
    const before = received;
    await expect.poll(() => received, { intervals: [50] }).toBeGreaterThan(before + 3);
  }
  await expect(page).toHaveURL(`/devices/${device.account}/${device.id}`);
  await expect(page.getByRole('region', { name: 'Labels' })).toBeVisible();
  await tab(/^Terminal/).click();
  const all = Array.from({ length: COUNT }, (_, index) => `${index + 1}.`).join('');
  await expect.poll(counted, { intervals: [100] }).toContain(`${all}end`);
  expect(sockets).toBe(1);
});

test('terminals beside each other, by keys that the shell does not need; a link shows the same again', async ({
  enter,
  warren,
}) => {
  const page = await enter('superAdmin');
  const { hub, device } = warren.facts;
  await endTerminals(page.request, hub, device.id);
  await page.goto(`/devices/${device.account}/${device.id}?tab=terminal`);
  const [first, second] = [paneOf(page, 'terminal-1'), paneOf(page, 'terminal-1', 2)];
  await first.connected();
  await first.run('echo in the $((1))st');
  await expect.poll(first.lines).toContain('in the 1st');
  await first.input.press('Control+Shift+E');
  await second.connected();
  await expect(second.input).toBeFocused();
  await second.run('echo in the $((2))nd');
  await expect.poll(second.lines).toContain('in the 2nd');
  await page.keyboard.press('Control+Shift+X');
  await expect(first.input).toBeFocused();
  await page.keyboard.press('Control+Shift+S');
  await paneOf(page, 'terminal-2').connected();
  await page.keyboard.press('Control+Shift+,');
  await expect(first.input).toBeFocused();
  await expect(page).toHaveURL(/\?tab=terminal&split=right$/);
  await expect.poll(() => violations(page)).toEqual([]);

  await page.reload();
  await first.connected();
  await second.connected();
  await expect.poll(first.lines).toContain('in the 1st');
  await expect.poll(second.lines).toContain('in the 2nd');
  await page.getByRole('button', { name: 'Close this terminal' }).click();
  await expect(page).toHaveURL(/\?tab=terminal$/);
  await expect(second.input).toHaveCount(0);
  await expect.poll(first.lines).toContain('in the 1st');
});

test('charts are zoomed by keys and by a finger, which still scrolls the page', async ({ enter, warren }) => {
  // The first samples of a device are there within minutes.
  test.setTimeout(480_000);
  const { account, id } = warren.facts.device;
  const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };
  const page = await enter('superAdmin', phone);
  await page.goto(`/devices/${account}/${id}?range=1h`);
  const chart = page.getByRole('application', { name: 'Zoom CPU' });
  await expect(chart).toBeVisible({ timeout: 360_000 });
  const shown = page.getByRole('region', { name: 'Charts' }).getByRole('status');
  await expect(shown).toHaveText('Shown: 1 hour');
  const span = () => {
    const query = new URL(page.url()).searchParams;
    return Number(query.get('to')) - Number(query.get('from'));
  };

  await chart.focus();
  await expect(chart).toHaveAccessibleDescription(/zoom/);
  await page.keyboard.press('+');
  await expect.poll(span).toBe(1_800);
  await expect(shown).not.toHaveText('Shown: 1 hour');
  await expect(chart).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(span).toBe(1_800);
  await page.keyboard.press('0');
  await expect(shown).toHaveText('Shown: 1 hour');

  const wire = await page.context().newCDPSession(page);
  const over = chart.locator('.u-over');
  await over.scrollIntoViewIfNeeded();
  const placed = async () => {
    const box = await over.boundingBox();
    if (!box) throw new Error('the chart has no box');
    return { left: box.x, width: box.width, y: Math.round(box.y + box.height / 2) };
  };
  const { left, width, y } = await placed();
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    wire.send('Input.dispatchTouchEvent', { type, touchPoints });
  const at = (part: number) => ({ x: Math.round(left + width * part), y });
  await touch('touchStart', at(0.25));
  for (const part of [0.35, 0.5, 0.65, 0.75]) await touch('touchMove', at(part));
  await touch('touchEnd');
  await expect.poll(span).toBeGreaterThan(1_500);
  expect(span()).toBeLessThan(2_100);
  // Of the range; each empty chart has one too.
  await page.getByRole('button', { name: 'Reset zoom' }).first().click();
  await expect(shown).toHaveText('Shown: 1 hour');

  const before = await placed();
  const x = Math.round(before.left + before.width / 2);
  await touch('touchStart', { x, y: before.y });
  for (let up = 20; up <= 200; up += 20) await touch('touchMove', { x, y: before.y - up });
  await touch('touchEnd');
  await expect.poll(async () => (await placed()).y).toBeLessThan(before.y - 100);
  await expect(shown).toHaveText('Shown: 1 hour');
});
