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

test('RSA-AES, as RealVNC speaks it: the key is shown once, the password asked for, then typed into', async ({
  as,
  warren,
}) => {
  test.skip(program === '', 'TIGERVNC names no Xtigervnc of 1.13 or later');
  const page = await as('superAdmin');
  vnc = await VncDesktop.tiger({ program, security: 'RA2ne', password: 'correct1' });
  await vnc.terminal('stty -icanon; cat > typed');
  await setVnc(page.request, warren.facts.hub, warren.facts.device.id, vnc.port);
  const desktop = new DesktopPage(page);
  await desktop.open(warren.facts.device.id);
  const key = page.getByRole('region', { name: 'Is this the right server?' });
  await expect(key.getByText(/^([0-9a-f]{2}-){7}[0-9a-f]{2}$/)).toBeVisible();
  await key.getByRole('button', { name: 'Continue' }).click();
  const form = page.getByRole('region', { name: 'Sign in to the desktop' });
  await expect(form.getByRole('textbox', { name: 'User name' })).toHaveCount(0);
  await form.getByRole('textbox', { name: 'Password' }).fill('correct1');
  await form.getByRole('button', { name: 'Sign in' }).click();
  await desktop.expectShown();
  await desktop.canvas.click();
  await page.keyboard.type('by RSA-AES');
  await expect.poll(() => vnc?.read('typed')).toBe('by RSA-AES');
});
