import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { until } from '@warren/infra/until';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { envelope } from '@warren/proto/envelope';
import { AccountShares } from '../src/links/account.shares.ts';
import { LinkGuard } from '../src/links/link.guard.ts';
import { Links } from '../src/links/links.ts';
import { neighbourOf, REGISTER, type Neighbour } from './neighbour.ts';
import { END_HEADERS, FRAME, frame, headers, RawAgent } from './raw.agent.ts';
import { World } from './world.ts';

/** What Node reads from a connection at once, which nothing stops midway. */
const READ = 64 * 1024;
const FRAME_BYTES = 16 * 1024;

/** DATA frames that carry a body. */
function framesOf(stream: number, body: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < body.length; at += FRAME_BYTES)
    frames.push(frame(FRAME.data, 0, stream, body.subarray(at, at + FRAME_BYTES)));
  return frames;
}

/** A TerminalOutput with 16,000 bytes of data at 0. */
const page = Buffer.from(
  envelope(0, Buffer.concat([Buffer.from([18, 0x85, 0x7d, 8, 0, 18, 0x80, 0x7d]), Buffer.alloc(16_000, 'x')])),
);

/** A TerminalOutput with one byte of data at an offset below 128. */
const letter = (offset: number) => Buffer.from(envelope(0, Buffer.from([18, 5, 8, offset, 18, 1, 97 + (offset % 26)])));

describe('beside a device that floods', () => {
  let world: World;
  let neighbour: Neighbour;

  beforeAll(async () => {
    const { TEST_REDIS_URL: redis = '', TEST_NATS_URL: nats = '' } = process.env;
    world = await World.start({ redis, nats });
    // Each look at the clock takes a millisecond, whatever the machine is busy with.
    let now = 0;
    Reflect.set(world.app.get(AccountShares).loop, 'now', () => ++now);
    neighbour = await neighbourOf(world);
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(async () => world?.stop());

  /** A device with one session, and its browser. */
  const session = async (namespace: 'terminal' | 'desktop') => {
    const device = world.neighbours.device();
    const agent = await world.linked(device, () => RawAgent.dial(world.url, device));
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    await agent.stream(0);
    const terminal = namespace === 'terminal';
    const browser = world.browser(device.id, {
      namespace,
      purpose: terminal ? SocketPurpose.TERMINAL : SocketPurpose.DESKTOP,
    });
    const shown = new Promise((resolve) => browser.socket.once('vnc_status', resolve));
    browser.socket.emit(terminal ? 'register' : 'start_vnc', REGISTER);
    const stream = await agent.stream(1);
    if (terminal) agent.accept(stream);
    else {
      await agent.send(frame(FRAME.headers, END_HEADERS, stream, headers({ ':status': '200' })));
      // Until its start is stored nothing is read, so up to a window comes at once.
      await shown;
    }
    return { device, agent, browser, stream };
  };

  it.each(['terminal', 'desktop'] as const)('of a %s, others are served after each of its reads', async (namespace) => {
    const { agent, stream } = await session(namespace);
    let inTurn = 0;
    let most = 0;
    const frameOf = LinkGuard.prototype.frame;
    jest.spyOn(LinkGuard.prototype, 'frame').mockImplementation(function (this: LinkGuard, bytes: number) {
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      most = Math.max(most, (inTurn += bytes));
      frameOf.call(this, bytes);
    });
    // Nearly a megabyte, which is there at once.
    await agent.pour(stream, framesOf(stream, Buffer.concat(Array<Buffer>(60).fill(page))), async () => false);
    for (let count = 0; count < 4; count++) await neighbour.printed();
    await until(() => most > 0);
    // The first read of a turn may be a part of one.
    expect(most).toBeLessThanOrEqual(2 * READ);
    agent.close();
  });

  it('of small messages, others are served between them, and none is lost', async () => {
    const { agent, browser, stream } = await session('terminal');
    // opened {session: "s"}
    await agent.send(frame(FRAME.data, 0, stream, envelope(0, Buffer.from([10, 3, 10, 1, 115]))));
    await until(() => browser.heard('register_status')?.['success'] === true);
    let inTurn = 0;
    let most = 0;
    const tookOf = LinkGuard.prototype.took;
    jest.spyOn(LinkGuard.prototype, 'took').mockImplementation(function (this: LinkGuard, bytes: number) {
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      most = Math.max(most, ++inTurn);
      return tookOf.call(this, bytes);
    });
    const letters = Buffer.concat(Array.from({ length: 100 }, (_, offset) => letter(offset)));
    await agent.send(...framesOf(stream, letters));
    await neighbour.printed();
    await until(() => browser.bytes().length === 100);
    expect(browser.bytes().toString()).toBe('abcdefghijklmnopqrstuvwxyz'.repeat(4).slice(0, 100));
    expect(most).toBeLessThan(10);
    agent.close();
  });
});
