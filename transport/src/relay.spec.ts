import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Connection, type Exchange } from './connection.ts';
import { relay, RelayFailed } from './relay.ts';
import { ReplicaConnections } from './replica.connections.ts';

const closing: (Server | HttpServer)[] = [];
const accepted: Socket[] = [];
afterEach(() => {
  for (const socket of accepted.splice(0)) socket.destroy();
  for (const server of closing.splice(0)) {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  }
});

async function listening(server: Server | HttpServer): Promise<number> {
  closing.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** A next hop that answers the requests of each connection in sequence with these responses. */
async function hop(...answers: string[]) {
  const requests: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    accepted.push(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      requests.push(bytes.toString('latin1'));
      const answer = answers.shift() ?? '';
      socket.write(answer, 'latin1');
      if (/^connection: close|^x-no-length/im.test(answer)) socket.end();
    });
  });
  return { requests, sockets, port: await listening(server) };
}

/** A relay in front of it, and a counter of its failures. */
async function front(port: number, open = 8) {
  const connections = new ReplicaConnections({ open, idle: 8, idleMs: 60_000 });
  const failures: unknown[] = [];
  const server = createHttpServer((request, response) => {
    relay(request, response, {
      connections: connections.of(`http://127.0.0.1:${port}`),
      path: request.url ?? '/',
      lines: ['Host', 'next'],
      answerMs: 60_000,
      answerLines: (lines) => [...lines],
    }).catch((error: unknown) => {
      failures.push(error instanceof RelayFailed ? error.kind : error);
      response.writeHead(502).end();
    });
  });
  const at = `http://127.0.0.1:${await listening(server)}`;
  const get = async (path = '/', init: RequestInit = {}) => {
    const answer = await fetch(at + path, init);
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };
  return { at, get, failures };
}

const ok = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

describe('a relayed request', () => {
  it('reuses a connection', async () => {
    const { port, requests, sockets } = await hop(ok('one'), ok('two'));
    const { get } = await front(port);
    expect((await get('/a?b=1')).body).toBe('one');
    expect((await get()).body).toBe('two');
    expect(sockets).toHaveLength(1);
    expect(requests[0]).toBe('GET /a?b=1 HTTP/1.1\r\nHost: next\r\nConnection: keep-alive\r\n\r\n');
  });

  it('ends a response without a length with its connection', async () => {
    const { port, sockets } = await hop('HTTP/1.1 200 OK\r\nX-No-Length: 1\r\n\r\nall of it', ok('next'));
    const { get, failures } = await front(port);
    expect((await get()).body).toBe('all of it');
    expect((await get()).body).toBe('next');
    expect(sockets).toHaveLength(2);
    expect(failures).toEqual([]);
  });

  it('gets a new connection after a response that closes its own', async () => {
    const { port, sockets } = await hop(
      'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 3\r\n\r\none',
      ok('two'),
    );
    const { get } = await front(port);
    expect([(await get()).body, (await get()).body]).toEqual(['one', 'two']);
    expect(sockets).toHaveLength(2);
  });

  it('is not answered by bytes behind the former response', async () => {
    const { port, sockets } = await hop(ok('one') + ok('forged'), ok('two'), `${ok('three')}HTTP/1.`, ok('four'));
    const { get } = await front(port, 1);
    const bodies = await Promise.all([get(), get(), get(), get()]);
    expect(bodies.map(({ body }) => body).sort()).toEqual(['four', 'one', 'three', 'two']);
    expect(sockets).toHaveLength(3);
  });

  it('waits for a free connection at the limit', async () => {
    const { port, sockets } = await hop(...Array.from({ length: 20 }, (_, index) => ok(String(index))));
    const { get } = await front(port, 2);
    const bodies = await Promise.all(Array.from({ length: 20 }, () => get()));
    expect(new Set(bodies.map(({ body }) => body)).size).toBe(20);
    expect(sockets.length).toBeLessThanOrEqual(2);
  });

  it('gets a head of many lines completely, and no trailers', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `X-${index}: ${index}`).join('\r\n');
    const chunked = `HTTP/1.1 200 OK\r\n${lines}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Late: 1\r\n\r\n`;
    const { port } = await hop(chunked.replace('Transfer', 'transfer'));
    const { get } = await front(port);
    const { headers, body } = await get();
    expect(Array.from({ length: 100 }, (_, index) => headers.get(`x-${index}`))).toEqual(
      Array.from({ length: 100 }, (_, index) => String(index)),
    );
    expect(headers.get('x-late')).toBeNull();
    expect(body).toBe('hi');
  });

  it('expects no body in the response to a HEAD', async () => {
    const { port, sockets } = await hop('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', ok('two'));
    const { get } = await front(port);
    expect((await get('/', { method: 'HEAD' })).headers.get('content-length')).toBe('9');
    expect((await get()).body).toBe('two');
    expect(sockets).toHaveLength(1);
  });

  it('fails if the next hop is unreachable, sends no HTTP, or switches protocols', async () => {
    const { port } = await hop('SSH-2.0-x\r\n', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n');
    const { get, failures } = await front(port);
    expect([(await get()).status, (await get()).status]).toEqual([502, 502]);
    const gone = await front(1);
    expect((await gone.get()).status).toBe(502);
    expect([...failures, ...gone.failures]).toEqual(['broken', 'broken', 'unreachable']);
  });

  it('passes interim responses on', async () => {
    const { port } = await hop(
      `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n${ok('it')}`,
    );
    const { at } = await front(port);
    const client = connect(Number(new URL(at).port), '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const statuses = [...(await text(client)).matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
    expect(statuses).toEqual(['102', '103', '200']);
  });

  it.each([
    ['100 without an end', 'HTTP/1.1 100 Continue\r\n\r\n', 64],
    ['102 without an end', 'HTTP/1.1 102 Processing\r\n\r\n', 64],
    ['103 without an end', 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n', 64],
    ['103 with long headers', `HTTP/1.1 103 Early Hints\r\nLink: </${'a'.repeat(8_000)}>; rel=preload\r\n\r\n`, 8],
  ])('is refused when its next hop sends %s', async (_what, interim, passed) => {
    const { port, sockets } = await hop(interim.repeat(10_000));
    const { at, failures } = await front(port);
    const client = connect(Number(new URL(at).port), '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const statuses = [...(await text(client)).matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
    expect(statuses.slice(0, -1)).toHaveLength(passed);
    expect([statuses.at(-1), failures]).toEqual(['502', ['unreadable']]);
    const [hopSide] = sockets;
    if (hopSide && !hopSide.destroyed) await once(hopSide, 'close');
  });

  it('is aborted with its response', async () => {
    const { port } = await hop('HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nhalf');
    const { get } = await front(port);
    await expect(get()).rejects.toThrow();
  });

  it('may be answered before it is complete, and leaves no rest to the next', async () => {
    const { port, sockets } = await hop('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n', ok('next'));
    const { at, get } = await front(port);
    const client = connect(Number(new URL(at).port), '127.0.0.1');
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nbegun');
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
    expect((await get()).body).toBe('next');
    expect(sockets).toHaveLength(2);
    client.end();
    await text(client);
  });
});

describe('a connection of the relay', () => {
  const nothing = () => {};
  const keeper = { free: nothing, gone: nothing };
  const exchange: Exchange = {
    bodiless: false,
    carried: undefined,
    connected: nothing,
    drained: nothing,
    cork: nothing,
    uncork: () => true,
    information: nothing,
    head: nothing,
    body: nothing,
    end: nothing,
    failed: nothing,
  };

  it('says whose count each exchange has, before its first byte', () => {
    const said: unknown[] = [];
    const serves = (carried: unknown) => void said.push(carried);
    const connection = new Connection({ stream: new PassThrough(), serves }, keeper, 1_000);
    for (const carried of [{ in: 0, out: 0 }, undefined]) {
      const connected = () => void said.push('connected');
      connection.serve({ ...exchange, carried, connected });
    }
    expect(said).toEqual([{ in: 0, out: 0 }, 'connected', undefined, 'connected']);
    connection.destroy();
  });

  it('reports bodies with several pieces in one read', () => {
    const reported: number[] = [];
    const stream = new PassThrough();
    const connection = new Connection({ stream, pieces: (count) => reported.push(count) }, keeper, 1_000);
    connection.serve(exchange);
    stream.emit('data', Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n'));
    stream.emit('data', Buffer.from('1\r\nb\r\n'.repeat(1_000)));
    expect(reported).toEqual([1_000]);
    connection.destroy();
  });
});
