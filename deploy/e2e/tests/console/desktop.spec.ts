import type { Page } from '@playwright/test';
import { freePort } from '@warren/infra/ports';
import { DesktopPage } from '../../pages/desktop.ts';
import { setVnc } from '../../support/api.ts';
import { expect, measured, test } from '../../support/test.ts';
import { VncDesktop } from '../../support/vnc.ts';
import type { Warren } from '../../support/warren.ts';

/** The colour of the terminal emulator that fills the screen. */
const FILL = [0x20, 0x40, 0x60] as const;

let vnc: VncDesktop | undefined;
test.afterEach(async () => {
  await vnc?.stop();
  vnc = undefined;
});

/** The console's page of a desktop that runs on this machine. */
async function at(page: Page, warren: Warren, desktop: VncDesktop): Promise<DesktopPage> {
  vnc = desktop;
  await setVnc(page.request, warren.facts.hub, warren.facts.device.id, desktop.port);
  return new DesktopPage(page);
}

test('a desktop is drawn, and typed into', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const desktop = await at(page, warren, await VncDesktop.tiger());
  await vnc?.terminal('stty -icanon; cat > typed');
  await page.goto(`/device/ssh/${warren.facts.device.id}`);
  const since = Date.now();
  await page.getByRole('link', { name: 'Open desktop', exact: true }).click();
  await desktop.expectShown();
  measured('desktop, click to picture', Date.now() - since, 'ms');
  expect(await desktop.size()).toBe('1024x768');
  await desktop.expectPixel(FILL, 600, 500);
  await desktop.canvas.click();
  await page.keyboard.type('Hello, desk-top! (1) ~');
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Enter');
  await expect.poll(() => vnc?.read('typed')).toBe('Hello, desk-top! (1) ~\x0b\n');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await desktop.tool('Send keys').click();
  await page.getByRole('menuitem', { name: 'F5', exact: true }).click();
  await expect.poll(() => vnc?.read('typed')).toContain('\x1b[15~');
  await expect(page.getByText(/^\d+ ms$/)).toBeVisible();
});

test('a desktop that is only looked at takes no keys', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const desktop = await at(page, warren, await VncDesktop.tiger());
  await vnc?.terminal('stty -icanon; cat > typed');
  await desktop.openShown(warren.facts.device.id);
  await desktop.tool('Picture settings').click();
  await page.getByRole('switch', { name: 'View only' }).click();
  await page.keyboard.press('Escape');
  await desktop.canvas.click();
  await page.keyboard.type('unheard');
  await expect(desktop.tool('Send keys')).toBeDisabled();
  await desktop.tool('Picture settings').click();
  await page.getByRole('switch', { name: 'View only' }).click();
  await page.keyboard.press('Escape');
  await desktop.canvas.click();
  await page.keyboard.type('heard');
  await expect.poll(() => vnc?.read('typed')).toBe('heard');
});

test('the desktop takes the size of the page when it is asked to, and follows it', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const desktop = await at(page, warren, await VncDesktop.tiger());
  await desktop.openShown(warren.facts.device.id);
  await desktop.tool('Picture settings').click();
  await page.getByText('Resize desktop').click();
  const room = async () => {
    const box = await page.getByRole('group', { name: /^Desktop of/ }).boundingBox();
    return `${Math.floor(box?.width ?? 0)}x${Math.floor(box?.height ?? 0)}`;
  };
  const follows = () =>
    expect(async () => {
      const wanted = await room();
      expect([await vnc?.size(), await desktop.size()]).toEqual([wanted, wanted]);
    }).toPass({ timeout: 60_000 });
  await follows();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 900, height: 620 });
  await follows();
});

test.describe('a desktop that is larger than the page, shown as it is', () => {
  const phone = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true };
  const asItIs = async (page: Page, desktop: DesktopPage) => {
    await desktop.tool('Picture settings').click();
    await page.getByText('1:1', { exact: true }).click();
    await page.keyboard.press('Escape');
  };

  test('is scrolled to its far corner', async ({ enter, warren }) => {
    const page = await enter('superAdmin', { viewport: { width: 900, height: 500 } });
    const desktop = await at(page, warren, await VncDesktop.tiger());
    await desktop.openShown(warren.facts.device.id);
    await asItIs(page, desktop);
    await expect.poll(() => desktop.size()).toBe('1024x768');
    const room = await page.getByRole('group', { name: /^Desktop of/ }).boundingBox();
    await desktop.canvas.evaluate((canvas) => canvas.parentElement?.scrollTo(1_024, 768));
    const picture = await desktop.canvas.boundingBox();
    if (!room || !picture) throw new Error('expected a desktop in its room');
    expect(picture.x + picture.width).toBeLessThanOrEqual(room.x + room.width);
    expect(picture.y + picture.height).toBeLessThanOrEqual(room.y + room.height);
  });

  test('is moved by a finger, unless the finger shall be the mouse', async ({ enter, warren }) => {
    const page = await enter('superAdmin', phone);
    const desktop = await at(page, warren, await VncDesktop.tiger());
    // A red line 21 pixels above the foot of the screen.
    await vnc?.terminal("printf '\\033[58;1H\\033[41m%150s\\033[0m\\033[H'; cat");
    await desktop.openShown(warren.facts.device.id);
    await asItIs(page, desktop);
    await expect.poll(() => desktop.size()).not.toBe('1024x768');
    const foot = Number((await desktop.size()).split('x')[1]) - 21;
    const touch = await page.context().newCDPSession(page);
    const drag = async () => {
      const say = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
        touch.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 180, y }] });
      await say('touchStart', 450);
      for (let y = 440; y >= 150; y -= 10) await say('touchMove', y);
      await say('touchEnd');
    };
    const byFinger = desktop.tool('Move the picture with a finger');
    await expect(byFinger).toHaveAttribute('aria-pressed', 'true');
    await byFinger.tap();
    await expect(byFinger).toHaveAttribute('aria-pressed', 'false');
    await drag();
    await desktop.expectPixel(FILL, 300, foot);
    await byFinger.tap();
    await drag();
    await desktop.expectPixel([0xcd, 0, 0], 300, foot);
  });
});

test('what is copied on one side can be pasted on the other', async ({ enter, warren }) => {
  const page = await enter('superAdmin', { permissions: ['clipboard-read', 'clipboard-write'] });
  const desktop = await at(page, warren, await VncDesktop.tiger());
  await desktop.openShown(warren.facts.device.id);
  await vnc?.copy('from the device: Grüße');
  await desktop.tool('Clipboard').click();
  const field = page.getByLabel('Clipboard of the device');
  await expect(field).toHaveValue('from the device: Grüße');
  await field.fill('from the browser: 世界');
  await page.getByRole('button', { name: 'Send to device' }).click();
  await expect.poll(() => vnc?.copied()).toBe('from the browser: 世界');
  const same = page.getByRole('switch', { name: 'Keep both clipboards the same' });
  await same.click();
  await expect(same).toBeChecked();
  await page.keyboard.press('Escape');
  await page.evaluate(() => navigator.clipboard.writeText('by itself'));
  await desktop.canvas.click();
  await expect.poll(() => vnc?.copied()).toBe('by itself');
  await vnc?.copy('and back');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('and back');
});

test('the desktop asks for a password, and reports a wrong one', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const desktop = await at(page, warren, await VncDesktop.tiger({ password: 'correct1' }));
  await desktop.open(warren.facts.device.id);
  const form = page.getByRole('region', { name: 'Sign in to the desktop' });
  await form.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await page.keyboard.press('Enter');
  await expect(desktop.notice).toContainText('did not let you in');
  await expect(desktop.notice).toContainText(/authentication/i);
  await page.getByRole('button', { name: 'Reconnect' }).click();
  await form.getByRole('textbox', { name: 'Password' }).fill('correct1');
  await form.getByRole('button', { name: 'Sign in' }).click();
  await desktop.expectShown();
});

test('a server with an unsupported encryption is reported, with the setting to change', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const desktop = await at(page, warren, await VncDesktop.tiger({ security: 'TLSNone' }));
  await desktop.open(warren.facts.device.id);
  await expect(desktop.notice).toContainText(/^The VNC server of .* encrypts by itself/);
  await expect(desktop.notice).toContainText('What to do on the device');
  await expect(desktop.notice).toContainText('-SecurityTypes VncAuth');
});

test('where no VNC server answers, the page says what to do, and lets the address be changed', async ({
  enter,
  warren,
}) => {
  const page = await enter('superAdmin');
  const desktop = await at(page, warren, await VncDesktop.tiger());
  const port = vnc?.port ?? 0;
  const nothing = await freePort('127.0.0.1');
  await setVnc(page.request, warren.facts.hub, warren.facts.device.id, nothing);
  await desktop.open(warren.facts.device.id);
  await expect(desktop.notice).toContainText(/^No VNC server answers on /);
  await expect(desktop.notice).toContainText('What to do on the device');
  await expect(desktop.notice).toContainText(`127.0.0.1:${nothing}`);
  await page.getByRole('button', { name: 'Change VNC address' }).click();
  const dialog = page.getByRole('dialog', { name: 'VNC Address' });
  await dialog.getByLabel('Port or display').fill(':100');
  await expect(dialog.getByText('Please enter a valid port or display, such as 5900 or :1')).toBeVisible();
  await dialog.getByLabel('Port or display').fill(`${port}`);
  await dialog.getByRole('button', { name: 'Save address' }).click();
  await desktop.expectShown();
  await desktop.tool('Disconnect').click();
  await expect(desktop.status).toHaveAttribute('data-state', 'disconnected');
});

test('x11vnc is shown as well', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const desktop = await at(page, warren, await VncDesktop.x11vnc());
  await vnc?.terminal('stty -icanon; cat > typed');
  await desktop.openShown(warren.facts.device.id);
  expect(await desktop.size()).toBe('800x600');
  await desktop.expectPixel(FILL, 500, 400);
  await desktop.canvas.click();
  await page.keyboard.type('by x11vnc');
  await expect.poll(() => vnc?.read('typed')).toBe('by x11vnc');
});
