import { setVnc } from '../../support/api.ts';
import { RawDesktop, RawServer } from '../../support/raw.desktop.ts';
import { killed, NO_FAULT, STORE_AWAY } from '../../support/recording.faults.ts';
import { bytesOf, desktopRecordingOf, setRecording } from '../../support/recordings.ts';
import { Rig } from '../../support/rig.ts';
import { SOAK, soakBut } from '../../support/soak.ts';
import { expect, test } from '../../support/test.ts';
import type { Warren } from '../../support/warren.ts';

const MB = 1_000_000;

const faults = [NO_FAULT, ...(['audit', 'redis', 'nats'] as const).map(killed), STORE_AWAY];

test.describe('the recording of a desktop', () => {
  let rig: Rig;
  let server: RawServer;

  const open = (warren: Warren) => RawDesktop.open(rig.request, warren.facts.hub, rig.device);
  const recording = (warren: Warren) => desktopRecordingOf(rig.request, warren.facts.device.account, rig.device);

  test.beforeAll(async ({ browser, warren }) => {
    const { hub, device } = warren.facts;
    rig = await Rig.make(browser, warren);
    server = await RawServer.start();
    await setVnc(rig.request, hub, rig.device, server.port);
    await setRecording(rig.request, hub, device.account, 'required', { desktops: true });
  });
  test.afterAll(async ({ warren }) => {
    await setRecording(rig.request, warren.facts.hub, warren.facts.device.account, 'off').catch(() => {});
    await server?.stop();
    await rig?.remove();
  });
  test.afterEach(async ({ warren }) => {
    await warren.restore();
    await rig.connected();
  });

  for (const { name, happen } of faults) {
    test(
      `equals what the VNC server sent, through ${name}`,
      soakBut('no failure', 'kill -9 of audit')(name),
      async ({ warren }) => {
        test.setTimeout(300_000);
        const desktop = await open(warren);
        await server.send(4 * MB);
        const sending = server.send(16 * MB);
        await happen({ warren });
        await sending;
        server.end();
        await expect.poll(() => desktop.ended, { timeout: 120_000 }).toBe('ended');
        expect(desktop.shown.equals(server.bytes)).toBe(true);
        expect(desktop.marks[0]).toMatchObject({ state: 'recording' });
        const { id, gaps, reason, exit } = await recording(warren);
        expect({ gaps, reason, exit }).toEqual({ gaps: 0, reason: 'The VNC server ended the session.', exit: null });
        expect((await bytesOf(rig.request, id)).equals(server.bytes)).toBe(true);
      },
    );
  }

  test('has all that the person saw when the agent is killed', SOAK, async ({ warren }) => {
    test.setTimeout(300_000);
    const desktop = await open(warren);
    await server.send(4 * MB);
    const sending = server.send(64 * MB);
    await rig.agent.stop('SIGKILL');
    await sending;
    await expect.poll(() => desktop.ended, { timeout: 60_000 }).not.toBe('');
    rig.agent.start();
    const { id, reason } = await recording(warren);
    expect(reason).toBe('The connection to the desktop broke.');
    const recorded = await bytesOf(rig.request, id);
    const { shown } = desktop;
    expect(recorded.length).toBeGreaterThanOrEqual(shown.length);
    expect(recorded.subarray(0, shown.length).equals(shown)).toBe(true);
    expect(recorded.equals(server.bytes.subarray(0, recorded.length))).toBe(true);
  });

  test('is required: without a recorder there is no desktop', async ({ warren }) => {
    // What the policy is, is known from now on.
    (await open(warren)).close();
    await warren.hold('audit');
    await expect(open(warren)).rejects.toThrow('unrecorded');
    await warren.start('audit');
    await expect(async () => (await open(warren)).close()).toPass({ timeout: 60_000 });
  });
});
