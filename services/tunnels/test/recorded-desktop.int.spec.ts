import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { settled, until } from '@warren/infra/until';
import { RECORDINGS } from '@warren/platform/broker/keys';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Recording } from '@warren/proto/agent/v1/agent';
import { RecordingPolicy } from '@warren/proto/audit/v1/recordings';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import type { RecordedEnd } from '@warren/proto/tunnels/v1/recordings';
import type { ServerHttp2Stream } from 'node:http2';
import { v7 as uuidv7 } from 'uuid';
import { Links } from '../src/links/links.ts';
import { LARGEST_WINDOW } from '../src/links/stream.window.ts';
import type { RecordedDesktop } from '../src/recordings/recorded.desktop.ts';
import { RecordedSources } from '../src/recordings/recorded.sources.ts';
import type { FakeAgent, TestDevice } from './fake.agent.ts';
import { Recorder } from './recorder.ts';
import { World, type Browser } from './world.ts';

jest.setTimeout(60_000);

const DESKTOP = { namespace: 'desktop', purpose: SocketPurpose.DESKTOP };
/** What tunnels keeps of a desktop. */
const LIMIT = 2 << 20;
const closed = { case: 'closed', value: { $typeName: 'warren.tunnels.v1.RecordingClosed' } } as const;

describe('a recorded desktop', () => {
  let world: World;
  let device: TestDevice;
  let agent: FakeAgent;
  let servers: ServerHttp2Stream[];
  const recorders: Recorder[] = [];
  let claim = 1n;

  const link = async () => {
    servers = [];
    const onConnect = (_authority: string, stream: ServerHttp2Stream) => {
      stream.on('error', () => {});
      stream.respond({ ':status': 200 });
      stream.resume();
      servers.push(stream);
    };
    agent = await world.agent(device, { onConnect });
    await until(() => world.app.get(Links).get(device.id) !== undefined);
  };
  const open = (): Browser & { shown: () => Buffer } => {
    const browser = world.browser(device.id, DESKTOP);
    const pieces: Buffer[] = [];
    browser.socket.on('vnc_stream', ({ data }: { data: Buffer }) => pieces.push(data));
    browser.socket.emit('start_vnc', { encoding: 'binary' });
    return Object.assign(browser, { shown: () => Buffer.concat(pieces) });
  };
  const status = async (browser: Browser) => {
    await until(() => browser.heard('vnc_status') !== undefined);
    return browser.heard('vnc_status') as { success: boolean; code?: string; error?: string };
  };
  const announced = async () =>
    (await world.app.get(RedisLink).client.zrange(RECORDINGS.terminals, 0, -1)).filter((one) =>
      one.includes(device.id),
    );
  const sources = () => world.app.get(RecordedSources);
  const sourceOf = (session: string) => sources().find(device.id, session) as RecordedDesktop | undefined;
  /** Waits for an announcement of this device, and reads its desktop. */
  const record = async (from = 0): Promise<Recorder & { session: string }> => {
    await until(async () => (await announced()).length > 0);
    const session = (await announced())[0]?.split('/')[2] ?? '';
    const of = { deviceId: device.id, session, claim: claim++ };
    const recorder = await Recorder.dial(world.url, sources().recordTerminal(serviceCaller('audit'), of).ticket);
    if (!(recorder instanceof Recorder)) throw new Error(`refused with ${recorder}`);
    recorders.push(recorder);
    await recorder.terminal('desktop');
    recorder.send({ case: 'from', value: BigInt(from) });
    return Object.assign(recorder, { session });
  };
  const begin = async (policy: RecordingPolicy) => {
    world.neighbours.desktopPolicies.set(device.id, policy);
    await link();
    const browser = open();
    const recorder = await record();
    expect(await status(browser)).toEqual({ success: true });
    return { browser, recorder, server: servers[0]! };
  };
  const end = (recorder: Recorder) => recorder.of('end') as RecordedEnd | undefined;

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  beforeEach(() => {
    device = world.neighbours.device();
  });
  afterEach(() => {
    for (const recorder of recorders.splice(0)) recorder.close();
    agent?.close();
  });
  afterAll(async () => world?.stop());

  it('of an account that requires it opens when its recorder reads it, and says so', async () => {
    const { browser, recorder, server } = await begin(RecordingPolicy.REQUIRED);
    await until(() => browser.heard('recording') !== undefined);
    expect(browser.heard('recording')).toMatchObject({
      recorded: true,
      mode: 'required',
      state: 'recording',
      reason: '',
    });
    expect(recorder.of('desktop')).toMatchObject({
      accountId: device.accountId,
      deviceId: device.id,
      mode: Recording.REQUIRED,
    });
    server.write('RFB 003.008\n');
    await until(() => browser.shown().toString() === 'RFB 003.008\n' && recorder.text === 'RFB 003.008\n');
    browser.socket.emit('vnc_input', { data: Buffer.from('RFB 003.008\n\x01keys are not recorded') });
    server.end('bye');
    await until(() => end(recorder) !== undefined);
    expect(recorder.text).toBe('RFB 003.008\nbye');
    expect(end(recorder)).toMatchObject({ reason: 'The VNC server ended the session.', missing: 0n });
    recorder.send(closed);
    await until(async () => (await announced()).length === 0);
    expect(sourceOf(recorder.session)).toBeUndefined();
  });

  it.each([
    [RecordingPolicy.REQUIRED, 'ends'],
    [RecordingPolicy.BEST_EFFORT, 'continues without a recording'],
  ])('of the policy %s %s when its server encrypts it for the viewer alone', async (policy) => {
    const { browser, recorder, server } = await begin(policy);
    server.write('RFB 003.008\n');
    await until(() => recorder.text === 'RFB 003.008\n');
    // RSA-AES.
    browser.socket.emit('vnc_input', { data: Buffer.from('RFB 003.008\n\x05') });
    await until(() => end(recorder) !== undefined);
    expect(end(recorder)?.reason).toContain('encrypts the picture for the viewer alone');
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

  it('of an account that requires it is refused without a recorder', async () => {
    world.neighbours.desktopPolicies.set(device.id, RecordingPolicy.REQUIRED);
    await link();
    const browser = open();
    const refused = await status(browser);
    expect(refused).toMatchObject({ success: false, code: 'unrecorded' });
    expect(refused.error).toContain('records every desktop');
    expect(browser.shown()).toHaveLength(0);
    await until(() => servers[0]!.destroyed);
    await until(async () => (await announced()).length === 0);
  });

  it('is nothing new for an account without recordings, whatever it says of terminals', async () => {
    world.neighbours.policies.set(device.id, RecordingPolicy.REQUIRED);
    await link();
    const browser = open();
    expect(await status(browser)).toEqual({ success: true });
    servers[0]!.write('shown');
    await until(() => browser.shown().toString() === 'shown');
    expect(browser.heard('recording')).toBeUndefined();
    expect(await announced()).toEqual([]);
  });

  it.each([1, 2, 3])(
    'equals what the server sent, through recorders that are killed in a flood (seed %d)',
    async (seed) => {
      const random = numbers(seed);
      const { browser, recorder: first, server } = await begin(RecordingPolicy.REQUIRED);
      const whole = Buffer.concat(
        Array.from({ length: 60 }, () => Buffer.alloc(1 + random(200_000), `${random(1e9)} `)),
      );
      server.end(whole);
      let stored = Buffer.alloc(0);
      let recorder: Recorder = first;
      for (;;) {
        // Some of what it has received is durable when it dies.
        const from = stored.length;
        const dies = from + 500_000 + random(2_000_000);
        await until(() => {
          const got = recorder.bytes;
          if (got.length > 0) stored = Buffer.concat([stored.subarray(0, from), got]);
          recorder.send({ case: 'stored', value: BigInt(Math.max(from, stored.length - 1_000)) });
          return stored.length >= dies || end(recorder) !== undefined;
        });
        if (end(recorder)) break;
        recorder.close();
        stored = stored.subarray(0, Math.max(from, stored.length - random(1_000)));
        recorder = await record(stored.length);
      }
      expect(stored.equals(whole)).toBe(true);
      expect(end(recorder)).toMatchObject({ missing: 0n });
      recorder.send(closed);
      await until(() => browser.shown().length === whole.length);
      expect(browser.shown().equals(whole)).toBe(true);
    },
  );

  it('that is required waits for its recorder with 2 MiB and a window at most, says so, and continues', async () => {
    const { browser, recorder, server } = await begin(RecordingPolicy.REQUIRED);
    recorder.send({ case: 'trouble', value: 'The store is slow.' });
    const whole = Buffer.alloc(10 << 20, 'picture ');
    server.end(whole);
    const { bytes } = sourceOf(recorder.session)!;
    await until(() => bytes.length >= LIMIT);
    const kept = await settled(() => bytes.length);
    expect(kept).toBeLessThanOrEqual(LIMIT + LARGEST_WINDOW);
    expect(browser.shown().length).toBeLessThanOrEqual(kept);
    expect(browser.heard('recording')).toMatchObject({ state: 'waiting' });
    expect(browser.heard('recording')?.['reason']).toContain('The desktop waits. The store is slow.');
    recorder.send({ case: 'trouble', value: '' });
    await until(() => {
      recorder.send({ case: 'stored', value: BigInt(recorder.bytes.length) });
      return end(recorder) !== undefined && browser.shown().length === whole.length;
    });
    expect(browser.heard('recording')).toMatchObject({ state: 'recording', reason: '' });
    expect(recorder.bytes.equals(whole)).toBe(true);
  });

  it('that waits continues when all of it is stored and the recorder died before it could say so', async () => {
    const { browser, recorder, server } = await begin(RecordingPolicy.REQUIRED);
    const whole = Buffer.alloc(8 << 20, 'picture ');
    server.end(whole);
    const { bytes } = sourceOf(recorder.session)!;
    await until(() => bytes.length >= LIMIT);
    const kept = await settled(() => bytes.length);
    await until(() => recorder.bytes.length === kept);
    recorder.close();
    const second = await record(kept);
    await until(() => {
      const { length } = second.bytes;
      if (length > 0) second.send({ case: 'stored', value: BigInt(kept + length) });
      return end(second) !== undefined && browser.shown().length === whole.length;
    });
    expect(Buffer.concat([whole.subarray(0, kept), second.bytes]).equals(whole)).toBe(true);
  });

  it('with best effort never waits: its recording ends at 2 MiB with a gap, and the person sees it', async () => {
    const { browser, recorder, server } = await begin(RecordingPolicy.BEST_EFFORT);
    const whole = Buffer.alloc(10 << 20, 'picture ');
    server.write(whole);
    await until(() => browser.shown().length === whole.length);
    await until(() => end(recorder) !== undefined);
    const { missing, reason } = end(recorder)!;
    expect(reason).toBe('More came than could be stored in time.');
    expect(recorder.bytes.length).toBeLessThanOrEqual(LIMIT);
    expect(recorder.bytes.equals(whole.subarray(0, recorder.bytes.length))).toBe(true);
    expect(missing).toBeGreaterThan(0n);
    expect(browser.heard('recording')).toMatchObject({ recorded: false, state: 'stopped' });
    recorder.send(closed);
    await until(async () => (await announced()).length === 0);
    server.end('still shown');
    await until(() => browser.heard('client_disconnect') !== undefined);
    expect(browser.shown().subarray(whole.length).toString()).toBe('still shown');
    expect(browser.all('recording').at(-1)).toMatchObject({ state: 'stopped' });
  });

  it('with best effort opens without a recorder, and is recorded from its first byte by one that comes late', async () => {
    world.neighbours.desktopPolicies.set(device.id, RecordingPolicy.BEST_EFFORT);
    await link();
    const browser = open();
    expect(await status(browser)).toEqual({ success: true });
    servers[0]!.end('all of it');
    await until(() => browser.heard('client_disconnect') !== undefined);
    const recorder = await record();
    await until(() => end(recorder) !== undefined);
    expect(recorder.text).toBe('all of it');
  });

  it('that is required ends when its recording is closed before it, and says why', async () => {
    const { browser, recorder, server } = await begin(RecordingPolicy.REQUIRED);
    server.write('shown');
    await until(() => recorder.text === 'shown');
    recorder.send(closed);
    await until(() => browser.heard('client_disconnect') !== undefined);
    expect(browser.heard('client_disconnect')).toMatchObject({ code: 'unrecorded' });
    expect(browser.heard('client_disconnect')?.['reason']).toContain('your account requires one');
    await until(() => server.destroyed);
    expect(sourceOf(recorder.session)).toBeUndefined();
  });

  it('is not joined in its middle: a recorder that lacks its beginning closes it', async () => {
    const { browser, recorder, server } = await begin(RecordingPolicy.REQUIRED);
    const { bytes } = sourceOf(recorder.session)!;
    server.write(Buffer.alloc(100_000, 'x'));
    await until(() => recorder.bytes.length === 100_000);
    recorder.send({ case: 'stored', value: 100_000n });
    await until(() => bytes.start === 100_000);
    recorder.close();
    const second = await record(0);
    await until(() => end(second) !== undefined);
    expect(end(second)).toMatchObject({ missing: 100_000n });
    second.send(closed);
    await until(() => browser.heard('client_disconnect') !== undefined);
    expect(browser.heard('client_disconnect')).toMatchObject({ code: 'unrecorded' });
  });

  it('ends with its link, with the right to it, and when its device moves to another account', async () => {
    const lost = await begin(RecordingPolicy.REQUIRED);
    lost.server.write('before');
    await until(() => lost.recorder.text === 'before');
    agent.kill();
    await until(() => end(lost.recorder) !== undefined);
    expect(end(lost.recorder)).toMatchObject({ reason: 'The connection to the desktop broke.' });
    expect(lost.recorder.text).toBe('before');

    device = world.neighbours.device();
    const withdrawn = await begin(RecordingPolicy.REQUIRED);
    Object.assign(world.neighbours.devices.get(device.id) ?? {}, { sshEnabled: false });
    await world.publish({ case: 'deviceChanged', value: { deviceId: device.id } } as never);
    await until(() => end(withdrawn.recorder) !== undefined);
    expect(end(withdrawn.recorder)).toMatchObject({ reason: 'The console of bench-pi is disabled.' });

    device = world.neighbours.device();
    const moved = await begin(RecordingPolicy.BEST_EFFORT);
    const previousAccountId = device.accountId;
    Object.assign(world.neighbours.devices.get(device.id) ?? {}, { accountId: uuidv7() });
    await world.publish({ case: 'deviceChanged', value: { deviceId: device.id, previousAccountId } } as never);
    await until(() => end(moved.recorder) !== undefined);
    await until(() => moved.server.destroyed);
  });

  it('is only read with a ticket for the latest claim', async () => {
    const { recorder } = await begin(RecordingPolicy.REQUIRED);
    const of = { deviceId: device.id, session: recorder.session };
    expect(() => sources().recordTerminal(serviceCaller('gateway'), { ...of, claim })).toThrow(
      expect.objectContaining({ code: 'permission_denied' }),
    );
    expect(() => sources().recordTerminal(serviceCaller('audit'), { ...of, claim: 0n })).toThrow('A later claim');
    await record();
    await until(() => recorder.ended);
  });
});

/** Pseudo-random numbers, the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
