import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import pino from 'pino';
import { serveLink, type Link } from '../src/link/link.ts';
import { RELAY_LIMITS, Relays } from '../src/relay/relays.ts';
import { socketPair } from '../src/system/socket-pair.ts';
import { settled, until } from '@warren/infra/until';

describe('a connection through the link', () => {
  let relays: Relays;
  let link: Link;
  let hub: ClientHttp2Session;
  let server: Server;
  let port: number;
  const accepted: Socket[] = [];
  const logged: { msg: string }[] = [];
  let ended = 0;

  beforeEach(async () => {
    const [near, far] = await socketPair();
    logged.length = 0;
    const log = pino({ level: 'info' }, { write: (line) => logged.push(JSON.parse(line)) });
    relays = new Relays(log, { open: 4, connect: 30_000 });
    const carrier = { kind: 'upgrade', stream: near, bytesRead: () => near.bytesRead } as const;
    link = serveLink(carrier, ({ authority, headers }, { stream }) =>
      relays.serve(stream, authority, headers['warren-user'] as string | undefined),
    );
    hub = http2.connect('http://device', { createConnection: () => far, settings: { initialWindowSize: 1 << 20 } });
    hub.on('error', () => {});
    accepted.length = ended = 0;
    server = net.createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => {});
      socket.once('end', () => ended++);
      accepted.push(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    link.destroy('done');
    hub.destroy();
    for (const socket of accepted) socket.destroy();
    server.close();
    await link.closed;
  });

  const ask = (authority: string, headers: Record<string, string> = {}): ClientHttp2Stream => {
    const stream = hub.request({ ':method': 'CONNECT', ':authority': authority, ...headers }, { endStream: false });
    stream.on('error', () => {});
    return stream;
  };
  const statusOf = async (stream: ClientHttp2Stream): Promise<number> => {
    const [headers] = (await once(stream, 'response')) as [{ ':status': number }];
    return headers[':status'];
  };
  const connected = async (): Promise<{ stream: ClientHttp2Stream; socket: Socket }> => {
    const before = accepted.length;
    const stream = ask(`127.0.0.1:${port}`);
    expect(await statusOf(stream)).toBe(200);
    // The kernel accepts before the server hears of it.
    await until(() => accepted.length > before);
    return { stream, socket: accepted.at(-1)! };
  };

  it('carries bytes both ways, each side ending for itself', async () => {
    const { stream, socket } = await connected();
    const hash = createHash('sha256');
    let size = 0;
    socket.on('data', (data) => {
      size += data.length;
      hash.update(data);
    });
    const piece = randomBytes(1 << 20);
    const sent = createHash('sha256');
    for (let count = 0; count < 16; count++) {
      sent.update(piece);
      if (!stream.write(piece)) await once(stream, 'drain');
    }
    stream.end();
    await once(socket, 'end');
    expect([size, hash.digest('hex')]).toEqual([16 << 20, sent.digest('hex')]);
    const back: Buffer[] = [];
    stream.on('data', (data: Buffer) => back.push(data));
    socket.end(piece);
    await once(stream, 'close');
    expect(Buffer.concat(back).equals(piece)).toBe(true);
    await until(() => relays.open === 0);
  });

  it('mixes up no bytes of busy connections, though their memory is used again and one breaks off', async () => {
    const size = 12 << 20;
    const floods = [];
    for (let count = 0; count < 3; count++) {
      floods.push({ ...(await connected()), sent: randomBytes(size) });
    }
    const [broken, ...others] = floods.map(({ stream, socket, sent }) => {
      const hash = createHash('sha256');
      stream.on('data', (data: Buffer) => hash.update(data));
      socket.end(sent);
      return { stream, got: hash, sent: createHash('sha256').update(sent).digest('hex') };
    });
    await once(broken!.stream, 'data');
    broken!.stream.close(http2.constants.NGHTTP2_CANCEL);
    for (const { stream } of others) {
      if (!stream.readableEnded) await once(stream, 'end');
      stream.end();
    }
    expect(others.map(({ got }) => got.digest('hex'))).toEqual(others.map(({ sent }) => sent));
    await until(() => relays.open === 0);
  });

  it('tells for whom it opened and closed, where it is for one person', async () => {
    for (const user of [encodeURIComponent('zoë@example.org'), '%zz']) {
      const stream = ask(`127.0.0.1:${port}`, { 'warren-user': user });
      expect(await statusOf(stream)).toBe(200);
      stream.close(http2.constants.NGHTTP2_CANCEL);
      await until(() => relays.open === 0);
    }
    await connected();
    expect(logged).toMatchObject([
      { msg: 'connection opened', user: 'zoë@example.org', port },
      { msg: 'connection closed', user: 'zoë@example.org', port },
      { msg: 'connection opened', user: '%zz' },
      { msg: 'connection closed', user: '%zz' },
    ]);
  });

  it('pauses a server whose bytes are not read', async () => {
    const { stream, socket } = await connected();
    stream.pause();
    const piece = Buffer.alloc(1 << 20);
    let written = 0;
    const fill = (): void => {
      while (socket.write(piece)) written += piece.length;
    };
    socket.on('drain', fill);
    fill();
    await settled(() => written);
    expect(socket.writableLength).toBeGreaterThan(0);
    // What the kernel's buffers and the windows of the link hold, and no more.
    expect(written).toBeLessThan(24 << 20);
  });

  it('holds the hub up whose bytes the server does not read, and loses none of them', async () => {
    const { stream, socket } = await connected();
    socket.pause();
    const piece = randomBytes(1 << 20);
    const sent = createHash('sha256');
    let written = 0;
    while (written < 64 << 20) {
      sent.update(piece);
      written += piece.length;
      if (stream.write(piece)) continue;
      const taken = await Promise.race([
        once(stream, 'drain').then(() => true),
        settled(() => stream.writableLength).then(() => false),
      ]);
      if (!taken) break;
    }
    // What the kernel's buffers and the window of the stream hold, and no more.
    expect(written).toBeLessThan(24 << 20);
    const got = createHash('sha256');
    socket.on('data', (data) => got.update(data)).resume();
    stream.end();
    await once(socket, 'end');
    expect(got.digest('hex')).toBe(sent.digest('hex'));
  });

  it('breaks with the server, and the server with it', async () => {
    const first = await connected();
    first.socket.resetAndDestroy();
    await until(() => first.stream.closed);
    expect(first.stream.rstCode).toBe(http2.constants.NGHTTP2_CONNECT_ERROR);
    const second = await connected();
    second.socket.resume();
    second.stream.close(http2.constants.NGHTTP2_CANCEL);
    await until(() => ended === 1);
    await until(() => relays.open === 0);
  });

  it('closes the connection to a server that does not end, once the hub has reset its stream', async () => {
    const { stream } = await connected();
    expect(relays.open).toBe(1);
    stream.destroy();
    await until(() => relays.open === 0);
  });

  it('closes the connection to a server that sends flat out, once the hub has reset its stream', async () => {
    for (const reads of [true, false]) {
      const { stream, socket } = await connected();
      const more = (): void => {
        while (socket.write(Buffer.alloc(1 << 20)));
      };
      socket.on('drain', more);
      let came = 0;
      stream.on('data', (piece: Buffer) => (came += piece.length));
      more();
      await until(() => came > 4 << 20);
      if (!reads) {
        stream.pause();
        await settled(() => socket.bytesWritten);
      }
      stream.destroy();
      await until(() => relays.open === 0);
      // Not for want of a link.
      expect(hub.destroyed).toBe(false);
    }
  });

  it('has room again for each connection that the hub has broken off, however many', async () => {
    // What they had still to send comes to more than 10 MB, of which Node would take no more.
    for (let count = 0; count < 200; count++) {
      const { stream, socket } = await connected();
      socket.write(Buffer.alloc(8 << 20));
      await once(stream, 'data');
      stream.destroy();
      await until(() => relays.open === 0);
    }
  });

  it('ends every connection with the link', async () => {
    const { socket } = await connected();
    socket.resume();
    hub.destroy();
    await until(() => ended === 1);
    await until(() => relays.open === 0);
  });

  it('tells why there is none', async () => {
    expect(await statusOf(ask('192.0.2.1:80'))).toBe(403);
    expect(await statusOf(ask('nowhere'))).toBe(400);
    const unused = net.createServer().listen(0, '127.0.0.1');
    await once(unused, 'listening');
    const free = (unused.address() as AddressInfo).port;
    unused.close();
    await once(unused, 'close');
    expect(await statusOf(ask(`127.0.0.1:${free}`))).toBe(502);
    expect(await statusOf(ask(`localhost:${free}`))).toBe(502);
    await until(() => relays.open === 0);
  });

  it('finds a server that listens on either loopback address, by name', async () => {
    const six = net.createServer((socket) => socket.end('six')).listen(0, '::1');
    await once(six, 'listening');
    const stream = ask(`localhost:${(six.address() as AddressInfo).port}`);
    expect(await statusOf(stream)).toBe(200);
    expect(String((await once(stream, 'data'))[0])).toBe('six');
    stream.end();
    six.close();
    expect(await statusOf(ask(`localhost:${port}`))).toBe(200);
  });

  it('is one of a bounded number', async () => {
    const streams = [];
    for (let count = 0; count < 4; count++) streams.push((await connected()).stream);
    expect(await statusOf(ask(`127.0.0.1:${port}`))).toBe(503);
    streams[0]?.close(http2.constants.NGHTTP2_CANCEL);
    await until(() => relays.open === 3);
    await connected();
    expect(RELAY_LIMITS.open).toBeGreaterThan(4);
  });

  it('may be dropped more than a thousand times, and the link stays', async () => {
    for (let round = 0; round < 400; round++) {
      const streams = [1, 2, 3, 4].map(() => ask(`127.0.0.1:${port}`));
      const statuses = await Promise.all(streams.map((stream) => statusOf(stream)));
      expect(statuses).toEqual([200, 200, 200, 200]);
      for (const stream of streams) stream.close(http2.constants.NGHTTP2_CANCEL);
      await until(() => relays.open === 0);
      accepted.length = 0;
    }
    expect(hub.destroyed).toBe(false);
  });
});
