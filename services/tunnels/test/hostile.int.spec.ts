import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { registry } from '@warren/platform/telemetry/metrics';
import { envelope } from '@warren/proto/envelope';
import { Claims, type Cooldown } from '../src/broker/claims.ts';
import { AccountShares } from '../src/links/account.shares.ts';
import { Cooldowns } from '../src/links/cooldowns.ts';
import { Links } from '../src/links/links.ts';
import { dialRaw, DialRefused, dialToken, type TestDevice } from './fake.agent.ts';
import { neighbourOf, REGISTER, type Neighbour } from './neighbour.ts';
import { ACK, END_HEADERS, FRAME, frame, headers, RawAgent } from './raw.agent.ts';
import { World } from './world.ts';

/** What a hub takes of a flood before it ends the link, at most: it looks at what is no payload twice a second only. */
const MOST_TAKEN = 512 << 20;

const many = (bytes: Buffer) => Buffer.concat(Array<Buffer>(Math.ceil((64 * 1024) / bytes.length)).fill(bytes));
const dataOf = (stream: number, message: Uint8Array) => frame(FRAME.data, 0, stream, envelope(0, message));
const interim = (status: number) => frame(FRAME.headers, END_HEADERS, 1, headers({ ':status': String(status) }));
/** A valid TerminalOutput or Facts that contains only an unknown field. */
const unknownField = Buffer.from([0x98, 0x06, 1]);

/** A message of 192 KiB, of which each frame has one byte. */
function byteByByte(agent: RawAgent): Buffer {
  agent.accept(1);
  void agent.send(frame(FRAME.data, 0, 1, Buffer.from([0, 0, 3, 0, 0])));
  return frame(FRAME.data, 0, 1, Buffer.alloc(1));
}

async function breaches(kind: string): Promise<number> {
  const metric = await registry.getSingleMetric('warren_tunnels_agent_links_breached_total')?.get();
  return metric?.values.find(({ labels }) => labels['breach'] === kind)?.value ?? 0;
}

describe('a hostile device', () => {
  let world: World;
  let neighbour: Neighbour;

  beforeAll(async () => {
    world = await World.start({
      redis: process.env['TEST_REDIS_URL'] ?? '',
      nats: process.env['TEST_NATS_URL'] ?? '',
      env: { MAX_DEVICE_STREAMS: 6, MAX_ACCOUNT_STREAMS: 8, MAX_DEVICE_BUFFER: 2 << 20, MAX_DEVICE_FRAMES: 2_000 },
    });
    neighbour = await neighbourOf(world);
  });
  afterAll(async () => world?.stop());

  const linkOf = ({ id }: TestDevice) => world.app.get(Links).get(id);

  const linked = async (device = world.neighbours.device()) => {
    const agent = await world.linked(device, () => RawAgent.dial(world.url, device));
    await until(() => linkOf(device) !== undefined);
    await agent.stream(0);
    return { device, agent };
  };

  /** A terminal that is open, and its stream. */
  const terminal = async (device: TestDevice, agent: RawAgent, index = 1) => {
    const { socket } = world.browser(device.id);
    socket.emit('register', REGISTER);
    const stream = await agent.stream(index);
    agent.accept(stream);
    return { socket, stream };
  };

  const floods: [string, string, (agent: RawAgent) => Buffer][] = [
    ['100 Continue', 'control_frames', () => interim(100)],
    ['102 Processing', 'control_frames', () => interim(102)],
    ['103 Early Hints', 'control_frames', () => interim(103)],
    ['ALTSVC', 'control_frames', () => frame(FRAME.altsvc, 0, 0, Buffer.from([0, 1, 97, 98]))],
    ['GOAWAY', 'control_frames', () => frame(FRAME.goaway, 0, 0, Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]))],
    ['WINDOW_UPDATE', 'control_frames', () => frame(FRAME.window, 0, 1, Buffer.from([0, 0, 0, 1]))],
    ['RST_STREAM', 'control_frames', () => frame(FRAME.reset, 0, 1, Buffer.from([0, 0, 0, 8]))],
    ['ORIGIN', 'control_frames', () => frame(FRAME.origin, 0, 0, Buffer.from([0, 1, 97]))],
    ['one byte a frame', 'small_frames', byteByByte],
    ['facts', 'facts', (agent) => (agent.accept(1), dataOf(1, Buffer.from([10, 1, 97])))],
  ];
  it.each(floods)('that floods its link with %s loses it', async (_what, breach, made) => {
    const before = await breaches(breach);
    const { device, agent } = await linked();
    const taken = await agent.flood(many(made(agent)), MOST_TAKEN);
    expect(taken).toBeLessThan(MOST_TAKEN);
    await until(() => linkOf(device) === undefined);
    expect(await breaches(breach)).toBe(before + 1);
    await neighbour.printed();
  });

  it.each([
    ['PING', frame(FRAME.ping, 0, 0, Buffer.alloc(8))],
    ['answers to PINGs that were never sent', frame(FRAME.ping, ACK, 0, Buffer.alloc(8))],
    ['SETTINGS', frame(FRAME.settings, 0, 0, Buffer.from([0, 3, 0, 0, 0, 100]))],
    ['WINDOW_UPDATE of nothing', frame(FRAME.window, 0, 0, Buffer.alloc(4))],
    ['PRIORITY', frame(FRAME.priority, 0, 1, Buffer.from([0, 0, 0, 0, 1]))],
    ['frames of an unknown type', frame(0x50, 0, 0, Buffer.alloc(4))],
    ['empty DATA', frame(FRAME.data, 0, 1)],
    [
      'CONTINUATION',
      Buffer.concat([frame(FRAME.headers, 0, 1, Buffer.of(0x88)), many(frame(FRAME.continuation, 0, 1))]),
    ],
    ['PUSH_PROMISE', frame(FRAME.push, END_HEADERS, 1, Buffer.from([0, 0, 0, 2, 0x82]))],
  ])('that floods its link with %s loses it too', async (_what, bytes) => {
    const { device, agent } = await linked();
    const taken = await agent.flood(many(bytes), MOST_TAKEN);
    expect(taken).toBeLessThan(MOST_TAKEN);
    await until(() => linkOf(device) === undefined);
    await neighbour.printed();
  });

  it('may not dial again for a while, and gets the reason', async () => {
    const { device, agent } = await linked();
    await agent.flood(many(interim(102)), MOST_TAKEN);
    await until(() => linkOf(device) === undefined);
    const dial = async () => {
      const token = await dialToken(device);
      return dialRaw(world.url, { Authorization: `Bearer ${token}`, 'Warren-Agent-Version': '0.1.0' });
    };
    // The pause is stored when the link has gone.
    let refused: unknown;
    await until(async () => {
      refused = await dial().then(
        ({ socket }) => void socket.destroy(),
        (error: unknown) => error,
      );
      return refused !== undefined;
    });
    expect(refused).toBeInstanceOf(DialRefused);
    const { status, headers: refusal } = refused as DialRefused;
    expect(status).toBe(429);
    expect(Number(refusal['retry-after'])).toBeGreaterThanOrEqual(25);
  });

  it('stays away longer each time', async () => {
    const device = world.neighbours.device();
    const cooldowns = world.app.get(Cooldowns);
    const link = { deviceId: device.id, accountId: '', publicIp: '', agentVersion: '' };
    const seconds: number[] = [];
    for (let count = 0; count < 7; count++) {
      await cooldowns.begin(link, 'facts');
      const proof = { id: `cooldown-${device.id}-${count}`, seconds: 60 };
      seconds.push(((await world.app.get(Claims).arrive(device.id, proof)) as Cooldown).seconds);
    }
    expect(seconds).toEqual([30, 60, 120, 240, 480, 900, 900]);
  });

  it('shows the person at its terminal why the link was closed', async () => {
    const { device, agent } = await linked();
    const browser = world.browser(device.id);
    browser.socket.emit('register', REGISTER);
    const stream = await agent.stream(1);
    agent.accept(stream);
    // opened {session: "s"}
    await agent.send(dataOf(stream, Buffer.from([10, 3, 10, 1, 115])));
    await until(() => browser.heard('register_status')?.['success'] === true);
    await agent.flood(many(interim(102)), MOST_TAKEN);
    await until(() => browser.heard('client_disconnect') !== undefined);
    expect(browser.heard('client_disconnect')).toMatchObject({
      reason: 'The hub closed the connection: the device sent too many control frames.',
    });
  });

  it('that floods a terminal with small messages loses its link', async () => {
    const { device, agent } = await linked();
    const { stream } = await terminal(device, agent);
    const accepted = dataOf(stream, Buffer.from([42, 2, 8, 1]));
    const taken = await agent.flood(many(accepted), MOST_TAKEN);
    expect(taken).toBeLessThan(MOST_TAKEN);
    await until(() => linkOf(device) === undefined);
    await neighbour.printed();
  });

  it('pays nothing for unknown fields', async () => {
    const { device, agent } = await linked();
    agent.accept(1);
    const message = many(unknownField);
    const frames: Buffer[] = [];
    const whole = envelope(0, message);
    for (let at = 0; at < whole.length; at += 16_384)
      frames.push(frame(FRAME.data, 0, 1, whole.subarray(at, at + 16_384)));
    await agent.send(...frames);
    await neighbour.printed();
    expect(linkOf(device)?.alive).toBe(true);
  });

  it('has a bounded number of streams, and its account as well', async () => {
    const accounts = world.app.get(AccountShares).size;
    const first = await linked();
    const second = world.neighbours.device();
    second.accountId = first.device.accountId;
    const other = await linked(second);
    for (let index = 1; index < 6; index++) await terminal(first.device, first.agent, index);
    const refused = async (device: TestDevice) => {
      const browser = world.browser(device.id);
      browser.socket.emit('register', REGISTER);
      await until(() => browser.heard('register_status') !== undefined);
      return browser.heard('register_status');
    };
    const limit = { success: false, code: 'limit', error: 'Too many sessions of this device are open.' };
    expect(await refused(first.device)).toMatchObject(limit);
    // What the hub itself reads of both devices does not count.
    for (let index = 1; index < 4; index++) await terminal(other.device, other.agent, index);
    expect(await refused(other.device)).toMatchObject(limit);
    first.agent.close();
    other.agent.close();
    await until(() => linkOf(first.device) === undefined && linkOf(second) === undefined);
    await neighbour.printed();
    await until(() => world.app.get(AccountShares).size === accounts);
  });

  it('has smaller windows for more streams', async () => {
    const { device, agent } = await linked();
    expect(agent.window).toBe(1 << 20);
    for (let index = 1; index < 4; index++) await terminal(device, agent, index);
    await until(() => agent.window === 512 * 1024);
    await terminal(device, agent, 4);
    await until(() => agent.window === 256 * 1024);
  });

  it('that does not take smaller windows loses its link', async () => {
    const { device, agent } = await linked();
    agent.answersSettings = false;
    for (let index = 1; index < 4; index++) await terminal(device, agent, index);
    await until(() => linkOf(device) === undefined, 30_000);
  });
});
