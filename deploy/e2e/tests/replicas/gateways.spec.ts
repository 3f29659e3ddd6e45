import type { Page } from '@playwright/test';
import { DesktopPage } from '../../pages/desktop.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { setVnc, setWeb } from '../../support/api.ts';
import { startCountingPage } from '../../support/counting.page.ts';
import type { LocalServer } from '../../support/local.server.ts';
import { expect, measured, test } from '../../support/replicated.ts';
import { VncDesktop } from '../../support/vnc.ts';

let vnc: VncDesktop | undefined;
let web: LocalServer | undefined;
test.afterEach(async () => {
  await Promise.all([vnc?.stop(), web?.stop()]);
  vnc = web = undefined;
});

/** Waits until the page has counted on from where it is. */
async function expectCounting(page: Page): Promise<void> {
  const count = async () => Number(await page.locator('output').textContent());
  const before = await count();
  await expect.poll(count).toBeGreaterThan(before);
}

/** Waits until what is typed reaches the desktop; a key may still go into the connection that has just broken. */
async function expectTyping(desktop: DesktopPage, vnc: VncDesktop): Promise<void> {
  const typed = async () => (await vnc.read('typed')).length;
  await desktop.page.bringToFront();
  await expect(async () => {
    await desktop.expectShown();
    await desktop.canvas.click();
    const before = await typed();
    await desktop.page.keyboard.type('x');
    await expect.poll(typed, { timeout: 2_000 }).toBeGreaterThan(before);
  }).toPass({ timeout: 60_000 });
}

test('a terminal, a desktop and a web service continue through one gateway when the other is killed', async ({
  as,
  warren,
}) => {
  const { hub, device } = warren.facts;
  const shell = await as('superAdmin');
  [vnc, web] = await Promise.all([VncDesktop.tiger(), startCountingPage()]);
  await vnc.terminal('stty -icanon; cat > typed');
  await setVnc(shell.request, hub, device.id, vnc.port);
  const { http_address: address } = await setWeb(shell.request, hub, device.id, web.port);

  const terminal = new TerminalPage(shell);
  await terminal.openReady(device.id);
  await terminal.run('kept=42');
  const desktop = new DesktopPage(await shell.context().newPage());
  await desktop.openShown(device.id);
  const page = await shell.context().newPage();
  await page.goto(`http://${address}/`);
  await expectCounting(page);

  for (const name of ['gateway', 'gateway-2'] as const) {
    const since = Date.now();
    await warren.hold(name);
    await shell.bringToFront();
    await terminal.expectState('connected');
    await terminal.run(`echo ${name} $kept`);
    await terminal.expectLine(`${name} 42`);
    await expectTyping(desktop, vnc);
    await page.bringToFront();
    await expectCounting(page);
    measured(`${name} killed, to all three in use again`, Date.now() - since, 'ms');
    await warren.start(name);
  }
});
