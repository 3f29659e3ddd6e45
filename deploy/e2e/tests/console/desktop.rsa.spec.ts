import type { Page } from '@playwright/test';
import { DesktopPage } from '../../pages/desktop.ts';
import { setVnc } from '../../support/api.ts';
import { expect, test } from '../../support/test.ts';
import { VncDesktop } from '../../support/vnc.ts';

/** A TigerVNC of 1.13 or later, which Debian 12 has not: see README.md. */
const program = process.env['TIGERVNC'] ?? '';

let vnc: VncDesktop | undefined;
test.afterEach(async () => {
  await vnc?.stop();
  vnc = undefined;
});

async function approveKey(page: Page): Promise<void> {
  const key = page.getByRole('region', { name: 'Is this the right server?' });
  await expect(key.getByText(/^([0-9a-f]{2}-){7}[0-9a-f]{2}$/)).toBeVisible();
  await key.getByRole('button', { name: 'Continue' }).click();
}

async function signIn(page: Page, password: string): Promise<void> {
  const form = page.getByRole('region', { name: 'Sign in to the desktop' });
  await expect(form.getByRole('textbox', { name: 'Password' })).toBeVisible();
  await expect(form.getByRole('textbox', { name: 'User name' })).toHaveCount(0);
  await form.getByRole('textbox', { name: 'Password' }).fill(password);
  await form.getByRole('button', { name: 'Sign in' }).click();
}

for (const [security, like] of [
  ['RA2ne', 'as RealVNC 6 comes'],
  ['RA2', 'as RealVNC 7 comes, all of it encrypted'],
  ['RA2_256', 'encrypted with keys of 256 bits'],
  ['TLSPlain,RA2_256,RA2', 'with TLS before it, as Raspberry Pi OS comes'],
] as const)
  test(`RSA-AES by ${security}, ${like}: the key is shown once, the password asked for, then typed into`, async ({
    enter,
    warren,
  }) => {
    test.skip(program === '', 'TIGERVNC names no Xtigervnc of 1.13 or later');
    const page = await enter('superAdmin');
    vnc = await VncDesktop.tiger({ program, security, password: 'correct1' });
    await vnc.terminal('stty -icanon; cat > typed');
    await setVnc(page.request, warren.facts.hub, warren.facts.device.id, vnc.port);
    const desktop = new DesktopPage(page);
    await desktop.open(warren.facts.device.id);
    await approveKey(page);
    await signIn(page, 'mistaken');
    await expect(desktop.notice).toContainText('did not let you in');
    await expect(desktop.notice).toContainText(/fail|invalid|incorrect/i);
    await desktop.notice.getByRole('button', { name: 'Reconnect' }).click();
    await signIn(page, 'correct1');
    await desktop.expectShown();
    await desktop.expectPixel([0x20, 0x40, 0x60], 900, 700);
    await desktop.canvas.click();
    await page.keyboard.type('by RSA-AES');
    await expect.poll(() => vnc?.read('typed')).toBe('by RSA-AES');
  });
