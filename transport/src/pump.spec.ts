import { afterEach, describe, expect, it } from '@jest/globals';
import { settled } from '@warren/infra/until';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { pump, type Carried } from './pump.ts';

/** Longer than the slower side needs after the other has ended. */
const HALF_CLOSED_MS = 60_000;
const open: (Socket | net.Server)[] = [];

/** Both ends of a connection on loopback. */
async function pair(): Promise<[Socket, Socket]> {
  const server = net.createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = net.connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  const [[far]] = (await Promise.all([once(server, 'connection'), once(near, 'connect')])) as [[Socket], unknown];
  open.push(near, far);
  for (const socket of [near, far]) socket.on('error', () => {});
  server.close();
  return [near, far];
}

/** A browser and a server with a relay between. */
async function relayed(halfClosedMs = HALF_CLOSED_MS) {
  const [browser, client] = await pair();
  const [upstream, server] = await pair();
  const done = pump(client, upstream, halfClosedMs) as Promise<Carried>;
  expect(done).toBeDefined();
  return { browser, client, upstream, server, done };
}

async function digest(socket: Socket): Promise<{ hash: string; length: number }> {
  const hash = createHash('sha256');
  let length = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    hash.update(chunk);
    length += chunk.length;
    // Slower than the writer, at times.
    if (length % 7 === 0) await wait(1);
  }
  return { hash: hash.digest('hex'), length };
}

async function pour(socket: Socket, megabytes: number): Promise<{ hash: string; length: number }> {
  const hash = createHash('sha256');
  const source = randomBytes(1_000_000);
  let length = 0;
  for (let index = 0; length < megabytes * 1_000_000; index++) {
    const piece = source.subarray((index * 7919) % 500_000, ((index * 7919) % 500_000) + ((index * 104_729) % 300_000));
    hash.update(piece);
    length += piece.length;
    if (!socket.write(piece)) await once(socket, 'drain');
  }
  socket.end();
  return { hash: hash.digest('hex'), length };
}

describe('a relay of bytes', () => {
  afterEach(() => {
    for (const socket of open.splice(0)) (socket as Socket).destroy();
  });

  it('keeps all bytes in order, both ways at once', async () => {
    const { browser, server, done } = await relayed();
    const [up, down, gotUp, gotDown] = await Promise.all([
      pour(browser, 30),
      pour(server, 30),
      digest(server),
      digest(browser),
    ]);
    expect(gotUp).toEqual(up);
    expect(gotDown).toEqual(down);
    expect(await done).toEqual({ in: up.length, out: down.length });
  });

  it('keeps small messages of many connections apart', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, relayed));
    const asked = all.map(async ({ browser, server }, index) => {
      server.pipe(server);
      const sent = Buffer.alloc(40_000, `${index}.`);
      const got: Buffer[] = [];
      browser.on('data', (chunk: Buffer) => got.push(chunk));
      for (let at = 0; at < sent.length; at += 400) {
        browser.write(sent.subarray(at, at + 400));
        await wait(0);
      }
      browser.end();
      await once(browser, 'end');
      expect(Buffer.concat(got).equals(sent)).toBe(true);
    });
    await Promise.all(asked);
  });

  it('applies backpressure to a writer without a reader', async () => {
    const { browser, server } = await relayed();
    server.pause();
    let written = 0;
    const piece = Buffer.alloc(256 * 1024);
    const push = () => {
      while (browser.writableLength === 0) {
        browser.write(piece);
        written += piece.length;
      }
    };
    browser.on('drain', push);
    push();
    await settled(() => written);
    // The system's buffers and one read, not all of the writer's bytes.
    expect(written).toBeLessThan(64 * 1024 * 1024);
    browser.off('drain', push);
    browser.end();
    expect((await digest(server)).length).toBe(written);
  });

  it('lets one side continue for a while after the other has ended', async () => {
    const { browser, server, done } = await relayed(2_000);
    server.end('all said');
    expect(String((await once(browser, 'data'))[0])).toBe('all said');
    await once(browser, 'end');
    browser.write('one more');
    expect(String((await once(server, 'data'))[0])).toBe('one more');
    browser.resume();
    await Promise.all([done, once(server, 'close')]);
  });

  it('ends when its original socket is destroyed', async () => {
    const { browser, client, server, done } = await relayed();
    client.destroy();
    server.resume();
    browser.resume();
    await Promise.all([done, once(server, 'end'), once(browser, 'end')]);
  });

  it('passes on bytes that were read before', async () => {
    const [browser, client] = await pair();
    const [upstream, server] = await pair();
    browser.write('early');
    await once(client, 'readable');
    void pump(client, upstream, HALF_CLOSED_MS);
    expect(String((await once(server, 'data'))[0])).toBe('early');
  });

  it('supports plain connections only', async () => {
    const [, client] = await pair();
    const [upstream] = await pair();
    upstream.destroy();
    expect(pump(client, upstream, HALF_CLOSED_MS)).toBeUndefined();
    expect(client.destroyed).toBe(false);
  });
});
