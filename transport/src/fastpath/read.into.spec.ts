import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http2, { type ClientHttp2Session, type ClientHttp2Stream, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { until } from '@warren/infra/until';
import { readInto } from './read.into.ts';

const WINDOW = 1 << 20;

describe('readInto', () => {
  let server: http2.Http2Server;
  let session: ClientHttp2Session;

  beforeEach(async () => {
    server = http2.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    session = http2.connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: WINDOW } });
  });
  afterEach(() => {
    session.destroy();
    server.close();
  });

  /** Both ends of an answered stream. */
  async function streams(): Promise<{ near: ClientHttp2Stream; far: ServerHttp2Stream }> {
    const asked = once(server, 'stream') as Promise<[ServerHttp2Stream]>;
    const near = session.request({ ':method': 'POST' });
    const [far] = await asked;
    far.respond();
    await once(near, 'response');
    return { near, far };
  }

  // Fails when a Node version lacks the internals that this uses.
  it('reads an HTTP/2 stream into the given memory, with earlier bytes, and each byte once', async () => {
    const { near, far } = await streams();
    const sent = randomBytes(8 << 20);
    far.write(sent.subarray(0, 1000));
    await until(() => near.readableLength === 1000);
    const memory = Buffer.alloc(16 * 1024);
    const got = createHash('sha256');
    let given = 0;
    const readOn = readInto(near, {
      buffer: () => memory,
      callback: (length, bytes) => {
        if (bytes.buffer === memory.buffer) given += length;
        got.update(bytes.subarray(0, length));
        return true;
      },
    });
    expect(readOn).toBeDefined();
    far.end(sent.subarray(1000));
    await once(near, 'end');
    expect(given).toBe(sent.length - 1000);
    expect(got.digest('hex')).toBe(createHash('sha256').update(sent).digest('hex'));
  });

  it('applies backpressure after a stop, and resumes', async () => {
    const { near, far } = await streams();
    let got = 0;
    let stops = true;
    const readOn = readInto(near, {
      buffer: () => Buffer.alloc(16 * 1024),
      callback: (length) => {
        got += length;
        return !stops;
      },
    });
    const total = 4 * WINDOW;
    far.end(Buffer.alloc(total));
    await until(() => got === WINDOW);
    // A round trip later, further bytes would have arrived.
    await new Promise((resolve) => session.ping(resolve));
    expect(got).toBe(WINDOW);
    stops = false;
    readOn?.();
    await once(near, 'end');
    expect(got).toBe(total);
  });

  it('does not change other streams', () => {
    const stream = new PassThrough();
    expect(readInto(stream, { buffer: () => Buffer.alloc(1), callback: () => true })).toBeUndefined();
    expect(stream.readableFlowing).toBeNull();
  });
});
