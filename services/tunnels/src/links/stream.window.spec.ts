import { afterEach, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ClientHttp2Session, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { reverseHttp2 } from './h2.ts';
import { socketPair } from '@warren/transport/socket.pair';
import { LARGEST_WINDOW, StreamWindow, windowFor } from './stream.window.ts';

const KIB = 1024;
/** Milliseconds that a full window waits for a way that takes so many bytes a millisecond. */
const queue = (size: number, bytesPerMs: number) => size / bytesPerMs;

describe('the window of a stream', () => {
  it('stays as large as it can be where the way is long and fast', () => {
    expect(windowFor({ size: LARGEST_WINDOW, bytesPerMs: 10_000, rtt: 300, shortest: 100 })).toBe(LARGEST_WINDOW);
  });

  it('is small where the way is slow, so that a keystroke does not wait behind it for long', () => {
    const size = windowFor({ size: LARGEST_WINDOW, bytesPerMs: 1_250, rtt: 700, shortest: 20 });
    expect(size).toBe(64 * KIB);
    expect(queue(size, 1_250)).toBeLessThan(60);
  });

  it('leaves busy processes the time to answer where the way is short', () => {
    expect(windowFor({ size: LARGEST_WINDOW, bytesPerMs: 100_000, rtt: 80, shortest: 0.5 })).toBe(256 * KIB);
  });

  it('does not shrink for a queue that busy processes explain', () => {
    expect(windowFor({ size: LARGEST_WINDOW, bytesPerMs: 300_000, rtt: 40, shortest: 0.2 })).toBe(LARGEST_WINDOW);
  });

  it('grows again when more comes than it has room for', () => {
    let size = 64 * KIB;
    // What a way of 100 ms brings is what the window lets it.
    for (let count = 0; count < 4; count++) size = windowFor({ size, bytesPerMs: size / 100, rtt: 100, shortest: 100 });
    expect(size).toBe(LARGEST_WINDOW);
  });

  it('does not shrink for who sends little while nothing queues', () => {
    expect(windowFor({ size: LARGEST_WINDOW, bytesPerMs: 400, rtt: 21, shortest: 20 })).toBe(LARGEST_WINDOW);
  });
});

/** Holds windows of a link that has no other bounds. */
function holderOf(session: ClientHttp2Session) {
  const window = { size: LARGEST_WINDOW, largest: LARGEST_WINDOW };
  const resize = (size: number) => session.settings({ initialWindowSize: (window.size = size) });
  return { window, resize };
}

describe('the windows of a link', () => {
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** A link, an open stream of it, and the agent's ends of both. */
  const linked = async (ping: () => Promise<number>) => {
    const [near, far] = await socketPair();
    sockets.push(near, far);
    const agent = createServer();
    const accepted = once(agent, 'session') as Promise<[ServerHttp2Session]>;
    const asked = once(agent, 'stream') as Promise<[ServerHttp2Stream]>;
    agent.emit('connection', far);
    const session = await reverseHttp2(near);
    const windows = new StreamWindow(session, holderOf(session), ping);
    const stream = session.request({ ':method': 'CONNECT', ':authority': 'localhost:1' }, { endStream: false });
    const [[there], [served]] = await Promise.all([accepted, asked]);
    served.respond({ ':status': 200 });
    windows.watch(stream);
    return { windows, stream, served, room: () => there.remoteSettings.initialWindowSize ?? LARGEST_WINDOW };
  };

  it('shrink while bytes queue, and none is lost or repeated', async () => {
    const { windows, stream, served, room } = await linked(() => Promise.resolve(80));
    expect(room()).toBe(LARGEST_WINDOW);
    windows.heard(0.1);
    const [sent, got] = [createHash('sha256'), createHash('sha256')];
    stream.on('data', (data: Buffer) => got.update(data));
    let after = 0;
    while (after < 5_000_000) {
      const piece = randomBytes(100_000);
      sent.update(piece);
      if (!served.write(piece)) await once(served, 'drain');
      if (room() < LARGEST_WINDOW) after += piece.length;
    }
    expect(room()).toBeLessThanOrEqual(256 * KIB);
    served.end();
    await once(stream, 'end');
    expect(got.digest('hex')).toBe(sent.digest('hex'));
  });
});
