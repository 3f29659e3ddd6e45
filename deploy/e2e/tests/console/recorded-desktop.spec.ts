import { DesktopPage } from '../../pages/desktop.ts';
import { setVnc } from '../../support/api.ts';
import { desktopRecordingOf, setRecording } from '../../support/recordings.ts';
import { expect, test } from '../../support/test.ts';
import { VncDesktop } from '../../support/vnc.ts';

/** Paints the screen in the colour that a key stands for. */
const PAINTER = String.raw`stty -icanon -echo; while :; do
case $(dd bs=1 count=1 2>/dev/null) in r) colour=41 ;; g) colour=42 ;; b) colour=44 ;; esac
printf '\033[%sm\033[2J\033[H' $colour; done`;
const COLOURS = { r: [205, 0, 0], g: [0, 205, 0], b: [0, 0, 238] } as const;
const FILL = [0x20, 0x40, 0x60] as const;
const [X, Y] = [600, 500];

let vnc: VncDesktop | undefined;
test.afterEach(async () => {
  await vnc?.stop();
  vnc = undefined;
});

test('a desktop is recorded, followed, and replayed forwards and backwards', async ({ enter, warren }) => {
  const { hub, device } = warren.facts;
  const boss = await enter('superAdmin');
  const owner = await enter('member', { permissions: ['clipboard-read', 'clipboard-write'] });
  vnc = await VncDesktop.tiger({ password: 'correct1' });
  await vnc.terminal(PAINTER);
  await setVnc(boss.request, hub, device.id, vnc.port);
  await setRecording(boss.request, hub, device.account, 'required', { desktops: true });
  const replay = new DesktopPage(boss, boss.getByRole('img', { name: /^Recorded screen of/ }));
  const seen: Partial<Record<keyof typeof COLOURS, number>> = {};
  try {
    const live = new DesktopPage(owner);
    await live.open(device.id);
    await owner.getByRole('textbox', { name: 'Password' }).fill('correct1');
    await owner.keyboard.press('Enter');
    await live.expectShown();
    await live.tool('Recorded').click();
    await expect(owner.getByText(/requires that desktops are recorded/)).toBeVisible();
    await owner.keyboard.press('Escape');
    await live.expectPixel(FILL, X, Y);
    await live.canvas.click();
    const paint = async (key: keyof typeof COLOURS) => {
      await owner.keyboard.press(key);
      await live.expectPixel(COLOURS[key], X, Y);
      seen[key] = Date.now();
    };
    await paint('r');
    await boss.goto(`/sessions?account=${device.account}&kind=desktop&state=live`);
    await boss.getByRole('row').filter({ hasText: 'Live' }).getByRole('link').click();
    await boss.getByRole('button', { name: 'Follow live' }).click();
    await replay.expectPixel(COLOURS.r, X, Y);
    await paint('b');
    await replay.expectPixel(COLOURS.b, X, Y);
    await paint('g');
    await vnc.copy('copied on the device');
    await live.tool('Clipboard').click();
    await expect(owner.getByLabel('Clipboard of the device')).toHaveValue('copied on the device');
    await owner.keyboard.press('Escape');
    await live.tool('Disconnect').click();
    await expect(live.status).toHaveAttribute('data-state', 'disconnected');
  } finally {
    await setRecording(boss.request, hub, device.account, 'off');
  }
  const { id, started } = await desktopRecordingOf(boss.request, device.account, device.id);
  const at = (key: keyof typeof seen) => ((seen[key] ?? 0) - Date.parse(started)) / 1_000;

  await test.step('the list tells it from terminals', async () => {
    await boss.goto(`/sessions?account=${device.account}`);
    await boss.getByRole('combobox', { name: 'Kind' }).click();
    await boss.getByRole('option', { name: 'Desktop' }).click();
    await expect(boss).toHaveURL(/kind=desktop/);
    const row = boss.getByRole('row').filter({ has: boss.getByRole('img', { name: 'Desktop' }) });
    await row.first().getByRole('link').click();
    await expect(boss).toHaveURL(`${hub}/sessions/${id}`);
  });

  await test.step('the device page has who was there, with a way to it', async () => {
    await boss.goto(`/devices/${device.account}/${device.id}`);
    const sessions = boss.getByRole('region', { name: 'Recent sessions' }).getByRole('listitem');
    await sessions.filter({ hasText: 'Desktop' }).first().getByRole('link', { name: 'Recording' }).click();
    await expect(boss).toHaveURL(`${hub}/sessions/${id}`);
    await owner.goto(`/devices/${device.account}/${device.id}`);
    await expect(owner.getByRole('heading', { level: 2, name: 'Events' })).toBeVisible();
    await expect(owner.getByRole('region', { name: 'Recent sessions' })).toHaveCount(0);
  });

  await test.step('plays to its end', async () => {
    await expect(boss.getByRole('button', { name: 'Play again' })).toBeVisible();
    await replay.expectPixel(COLOURS.g, X, Y);
    expect(await replay.size()).toBe('1024x768');
    await expect(boss.getByText('Complete and signed').first()).toBeVisible();
    await expect(boss.getByRole('button', { name: 'Export' })).toHaveCount(0);
    expect(await owner.evaluate(() => navigator.clipboard.readText())).not.toContain('copied on the device');
  });

  await test.step('seeks', async () => {
    const slider = boss.getByRole('slider', { name: 'Position' });
    await boss.goto(`/sessions/${id}?t=${at('b')}`);
    await expect(boss.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
    await replay.expectPixel(COLOURS.b, X, Y);
    await slider.press('End');
    await replay.expectPixel(COLOURS.g, X, Y);
    await boss.goto(`/sessions/${id}?t=${at('g')}`);
    await replay.expectPixel(COLOURS.g, X, Y);
    await slider.press('Home');
    await expect(replay.canvas).toHaveCount(1);
    await boss.goto(`/sessions/${id}?t=${at('r')}`);
    await replay.expectPixel(COLOURS.r, X, Y);
  });

  await test.step('people without the permission see the entry alone', async () => {
    await owner.goto(`/sessions/${id}`);
    await expect(owner.getByText(/but not play it/)).toBeVisible();
    expect((await owner.request.get(`/api/recordings/${id}/chunks/0`)).status()).toBe(403);
  });
});
