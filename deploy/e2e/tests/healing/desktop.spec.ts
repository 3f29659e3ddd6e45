import { DesktopPage } from '../../pages/desktop.ts';
import { setVnc } from '../../support/api.ts';
import { soakBut } from '../../support/soak.ts';
import { expect, measured, test } from '../../support/test.ts';
import { VncDesktop } from '../../support/vnc.ts';

let vnc: VncDesktop | undefined;
test.afterEach(async () => {
  await vnc?.stop();
  vnc = undefined;
});

/** Of the three, what a gateway carries is killed in other tests too. */
const soak = soakBut('tunnels', 'agent');

for (const name of ['tunnels', 'gateway', 'agent'] as const) {
  test(
    `the desktop comes back by itself when ${name} is killed, password and all`,
    soak(name),
    async ({ as, warren }) => {
      const page = await as('superAdmin');
      const { hub, device } = warren.facts;
      vnc = await VncDesktop.tiger({ password: 'correct1' });
      await vnc.terminal('stty -icanon; cat > typed');
      await setVnc(page.request, hub, device.id, vnc.port);
      const desktop = new DesktopPage(page);
      await desktop.open(device.id);
      await page.getByRole('textbox', { name: 'Password' }).fill('correct1');
      await page.keyboard.press('Enter');
      await desktop.expectShown();
      await desktop.canvas.click();
      await page.keyboard.type('before ');
      await expect.poll(() => vnc?.read('typed')).toBe('before ');
      const since = Date.now();
      await warren.hold(name);
      await expect(desktop.status).toHaveAttribute('data-state', 'disconnected');
      await warren.start(name);
      await desktop.expectShown();
      measured(`${name} killed and started, to the desktop back`, Date.now() - since, 'ms');
      await desktop.canvas.click();
      await page.keyboard.type('after');
      await expect.poll(() => vnc?.read('typed')).toBe('before after');
    },
  );
}
