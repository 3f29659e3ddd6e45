import { DesktopPage } from '../../pages/desktop.ts';
import { setVnc } from '../../support/api.ts';
import { expect, test } from '../../support/test.ts';
import { WaylandDesktop } from '../../support/wayland.ts';

let wayland: WaylandDesktop | undefined;
test.afterEach(async () => {
  await wayland?.stop();
  wayland = undefined;
});

test('a Wayland desktop behind wayvnc is drawn, typed into, and seen to change its size', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const desktop = new DesktopPage(page);
  wayland = await WaylandDesktop.start();
  wayland.terminal('stty -icanon; cat > typed');
  await setVnc(page.request, warren.facts.hub, warren.facts.device.id, wayland.port);
  await desktop.openShown(warren.facts.device.id);
  expect(await desktop.size()).toBe('1024x768');
  await desktop.expectPixel([0x20, 0x40, 0x60], 600, 500);
  await desktop.canvas.click();
  // Wayland transmits keys rather than characters, so Shift has to be one of them.
  for (const key of ['Shift+KeyB', 'y', 'Space', 'Shift+Digit9', 'Shift+Backquote', 'Control+k', 'Enter']) {
    await page.keyboard.press(key);
  }
  await expect.poll(() => wayland?.read('typed')).toBe('By (~\x0b\n');
  await wayland.resize('800x600');
  await expect.poll(() => desktop.size()).toBe('800x600');
  await desktop.expectPixel([0x20, 0x40, 0x60], 700, 550);
});
