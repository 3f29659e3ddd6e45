import { describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Recording } from '@warren/proto/agent/v1/agent';
import { RecordingPolicy } from '@warren/proto/audit/v1/recordings';
import { v7 as uuidv7 } from 'uuid';
import { Links } from '../src/links/links.ts';
import { closed, DesktopStage, endOf, statusOf } from './desktop.stage.ts';

describe('a recorded desktop', () => {
  const stage = new DesktopStage();

  it('of an account that requires it opens when its recorder reads it, and says so', async () => {
    const { browser, recorder, server } = await stage.begin(RecordingPolicy.REQUIRED);
    await until(() => browser.heard('recording') !== undefined);
    expect(browser.heard('recording')).toMatchObject({
      recorded: true,
      mode: 'required',
      state: 'recording',
      reason: '',
    });
    expect(recorder.of('desktop')).toMatchObject({
      accountId: stage.device.accountId,
      deviceId: stage.device.id,
      mode: Recording.REQUIRED,
    });
    const opened = () =>
      stage.world.events.flatMap(({ kind }) =>
        kind.case === 'audit' && kind.value.action === 'desktop.open' && kind.value.target?.id === stage.device.id
          ? [JSON.parse(kind.value.details)]
          : [],
      );
    await until(() => opened().length > 0);
    expect(opened()).toEqual([{ desktop: recorder.session }]);
    server.write('RFB 003.008\n');
    await until(() => browser.shown().toString() === 'RFB 003.008\n' && recorder.text === 'RFB 003.008\n');
    browser.socket.emit('vnc_input', { data: Buffer.from('RFB 003.008\n\x01keys are not recorded') });
    server.end('bye');
    await until(() => endOf(recorder) !== undefined);
    expect(recorder.text).toBe('RFB 003.008\nbye');
    expect(endOf(recorder)).toMatchObject({ reason: 'The VNC server ended the session.', missing: 0n });
    recorder.send(closed);
    await until(async () => (await stage.announced()).length === 0);
    expect(stage.sourceOf(recorder.session)).toBeUndefined();
  });

  it.each([
    [RecordingPolicy.REQUIRED, 'ends'],
    [RecordingPolicy.BEST_EFFORT, 'continues without a recording'],
  ])('of the policy %s %s when its server encrypts it for the viewer alone', async (policy) => {
    const { browser, recorder, server } = await stage.begin(policy);
    server.write('RFB 003.008\n');
    await until(() => recorder.text === 'RFB 003.008\n');
    // RSA-AES.
    browser.socket.emit('vnc_input', { data: Buffer.from('RFB 003.008\n\x05') });
    await until(() => endOf(recorder) !== undefined);
    expect(endOf(recorder)?.reason).toContain('encrypts the picture for the viewer alone');
    if (policy === RecordingPolicy.REQUIRED) {
      await until(() => browser.heard('client_disconnect') !== undefined);
      expect(browser.heard('client_disconnect')).toMatchObject({ code: 'unrecorded' });
      return until(() => server.destroyed);
    }
    server.write('secret');
    await until(() => browser.shown().toString().endsWith('secret'));
    expect(recorder.text).toBe('RFB 003.008\n');
    expect(browser.heard('recording')).toMatchObject({ recorded: false, state: 'stopped' });
  });

  it('is judged by what its viewer chooses, not by that of the desktop before it in the page', async () => {
    const { browser, recorder, server } = await stage.begin(RecordingPolicy.REQUIRED);
    browser.socket.emit('vnc_input', { data: Buffer.from('RFB 003.008\n\x01') });
    server.end();
    await until(() => browser.heard('client_disconnect') !== undefined);
    recorder.send(closed);
    await until(async () => (await stage.announced()).length === 0);
    browser.socket.emit('start_vnc', { encoding: 'binary' });
    const second = await stage.record('desktop');
    await until(() => browser.all('vnc_status').length === 2);
    browser.socket.emit('vnc_input', { data: Buffer.from('RFB 003.008\n\x05') });
    await until(() => endOf(second) !== undefined);
    expect(endOf(second)?.reason).toContain('encrypts the picture for the viewer alone');
  });

  it('that waits for its recorder ends with its page, not with the wait', async () => {
    await stage.ready(RecordingPolicy.REQUIRED);
    const browser = stage.open();
    await until(async () => (await stage.announced()).length > 0);
    const left = performance.now();
    browser.socket.disconnect();
    await until(async () => (await stage.announced()).length === 0);
    await until(() => stage.servers[0]!.destroyed);
    expect(performance.now() - left).toBeLessThan(4_000);
  });

  it('that waits for its recorder is not shown once its device has moved, also to those who keep the right to it', async () => {
    await stage.ready(RecordingPolicy.BEST_EFFORT);
    const browser = stage.open();
    await until(async () => (await stage.announced()).length > 0);
    const links = stage.world.app.get(Links);
    links.move(links.get(stage.device.id)!, uuidv7());
    const error = 'Its device was moved to another account.';
    expect(await statusOf(browser)).toMatchObject({ success: false, code: 'unrecorded', error });
    await until(() => stage.servers[0]!.destroyed);
  });

  it('of an account that requires it is refused without a recorder', async () => {
    await stage.ready(RecordingPolicy.REQUIRED);
    const browser = stage.open();
    const refused = await statusOf(browser);
    expect(refused).toMatchObject({ success: false, code: 'unrecorded' });
    expect(refused.error).toContain('records every desktop');
    expect(browser.shown()).toHaveLength(0);
    await until(() => stage.servers[0]!.destroyed);
    await until(async () => (await stage.announced()).length === 0);
  });

  it('is nothing new for an account without recordings, whatever it says of terminals', async () => {
    stage.world.neighbours.policies.set(stage.device.id, RecordingPolicy.REQUIRED);
    await stage.ready(RecordingPolicy.OFF);
    const browser = stage.open();
    expect(await statusOf(browser)).toEqual({ success: true });
    stage.servers[0]!.write('shown');
    await until(() => browser.shown().toString() === 'shown');
    expect(browser.heard('recording')).toBeUndefined();
    expect(await stage.announced()).toEqual([]);
  });

  it('that is required ends when its recording is closed before it, and says why', async () => {
    const { browser, recorder, server } = await stage.begin(RecordingPolicy.REQUIRED);
    server.write('shown');
    await until(() => recorder.text === 'shown');
    recorder.send(closed);
    await until(() => browser.heard('client_disconnect') !== undefined);
    expect(browser.heard('client_disconnect')).toMatchObject({ code: 'unrecorded' });
    expect(browser.heard('client_disconnect')?.['reason']).toContain('your account requires one');
    await until(() => server.destroyed);
    expect(stage.sourceOf(recorder.session)).toBeUndefined();
  });

  it('ends with its link, with the right to it, and when its device moves to another account', async () => {
    const lost = await stage.begin(RecordingPolicy.REQUIRED);
    lost.server.write('before');
    await until(() => lost.recorder.text === 'before');
    stage.agent.kill();
    await until(() => endOf(lost.recorder) !== undefined);
    expect(endOf(lost.recorder)).toMatchObject({ reason: 'The connection to the desktop broke.' });
    expect(lost.recorder.text).toBe('before');

    stage.device = stage.world.neighbours.device();
    const withdrawn = await stage.begin(RecordingPolicy.REQUIRED);
    Object.assign(stage.world.neighbours.devices.get(stage.device.id) ?? {}, { sshEnabled: false });
    await stage.world.publish({ case: 'deviceChanged', value: { deviceId: stage.device.id } } as never);
    await until(() => endOf(withdrawn.recorder) !== undefined);
    expect(endOf(withdrawn.recorder)).toMatchObject({ reason: 'The console of bench-pi is disabled.' });

    stage.device = stage.world.neighbours.device();
    const moved = await stage.begin(RecordingPolicy.BEST_EFFORT);
    const previousAccountId = stage.device.accountId;
    Object.assign(stage.world.neighbours.devices.get(stage.device.id) ?? {}, { accountId: uuidv7() });
    await stage.world.publish({
      case: 'deviceChanged',
      value: { deviceId: stage.device.id, previousAccountId },
    } as never);
    await until(() => endOf(moved.recorder) !== undefined);
    await until(() => moved.server.destroyed);
  });

  it('is only read with a ticket for the latest claim', async () => {
    const { recorder } = await stage.begin(RecordingPolicy.REQUIRED);
    const of = { deviceId: stage.device.id, session: recorder.session };
    expect(() => stage.sources.recordTerminal(serviceCaller('gateway'), { ...of, claim: stage.claim })).toThrow(
      expect.objectContaining({ code: 'permission_denied' }),
    );
    expect(() => stage.sources.recordTerminal(serviceCaller('audit'), { ...of, claim: 0n })).toThrow('A later claim');
    await stage.record('desktop');
    await until(() => recorder.ended);
  });
});
