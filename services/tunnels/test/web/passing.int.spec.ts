import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@warren/infra/ports';
import { until } from '@warren/infra/until';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Lease } from '../../src/broker/lease.ts';
import { World } from '../world.ts';
import type { WebDevice } from './web.device.ts';
import { bodyOf, WebWorld } from './web.world.ts';

const LIVES_MS = 60_000;

describe('a request at a replica that does not hold the device', () => {
  let holding: WebWorld;
  let other: World;
  let server: Server;
  let device: WebDevice;
  const requests: IncomingMessage[] = [];

  beforeAll(async () => {
    holding = await WebWorld.start();
    const { TEST_REDIS_URL: redis = '', TEST_NATS_URL: nats = '' } = process.env;
    other = await World.start({ redis, nats, neighbours: holding.neighbours });
    server = createServer(async (request, response) => {
      requests.push(request);
      response.end(`${request.method} ${await bodyOf(request)}`);
    });
    server.on('upgrade', (request: IncomingMessage, socket) => {
      requests.push(request);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      socket.pipe(socket);
    });
    device = (await (await holding.device(server)).enter()).at(other);
  });
  afterAll(async () => {
    await other?.stop();
    await holding?.stop();
    server?.closeAllConnections();
    server?.close();
  });
  beforeEach(() => void (requests.length = 0));

  it('is answered by the device, through the one that does', async () => {
    expect(await device.get('/a?b=c')).toMatchObject({ status: 200, body: 'GET ' });
    const lines = ['Content-Length: 5', 'Sec-Fetch-Site: same-origin'];
    expect(await device.send('POST', '/', 'body!', ...lines)).toMatchObject({ status: 200, body: 'POST body!' });
    expect(requests.map(({ url }) => url)).toEqual(['/a?b=c', '/']);
    for (const { headers } of requests) expect(headers).not.toHaveProperty('warren-passed');
  });

  it('is upgraded', async () => {
    const socket = await device.open();
    let got = '';
    socket.on('data', (data: Buffer) => (got += data.toString('latin1')));
    const head = [`GET /ws HTTP/1.1`, `Host: ${device.host}`, `Cookie: ${device.cookie}`, `Origin: ${device.origin}`];
    socket.write(`${head.join('\r\n')}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\n\r\n`);
    await until(() => got.endsWith('\r\n\r\n'));
    expect(got).toMatch(/^HTTP\/1.1 101 /);
    socket.write('to the device and back');
    await until(() => got.endsWith('to the device and back'));
    socket.destroy();
  });

  it('is refused there without a right, and shown so here', async () => {
    const stranger = await device.raw(`GET / HTTP/1.1\r\nHost: ${device.host}\r\n\r\n`);
    expect(stranger).toMatchObject({ status: 401 });
    expect(requests).toHaveLength(0);
  });

  it('is not passed on a second time', async () => {
    expect(await device.get('/', 'Warren-Passed: 1')).toMatchObject({ status: 503 });
    expect(requests).toHaveLength(0);
  });

  describe('when that replica has just died', () => {
    let gone: WebDevice;

    beforeAll(async () => {
      gone = (await (await holding.device(server)).enter()).at(other);
      const redis = other.app.get(RedisLink).client;
      const address = `http://127.0.0.1:${await freePort('127.0.0.1')}`;
      await redis.hset('replica:just-died', { address });
      await redis.zadd('warren:replicas', Date.now() + LIVES_MS, 'just-died');
      await redis.hset(`device:${gone.page.deviceId}`, { replica: 'just-died' });
      expect(other.app.get(Lease).replica).not.toBe('just-died');
    });
    afterAll(async () => {
      const redis = other.app.get(RedisLink).client;
      await redis.zrem('warren:replicas', 'just-died');
      await redis.del('replica:just-died');
    });

    it('may be tried again in a moment; the device is not blamed', async () => {
      const answer = await gone.get('/', 'Accept: text/html');
      expect(answer).toMatchObject({ status: 503 });
      expect(answer.head).toMatch(/retry-after: \d/i);
      expect(answer.body).not.toContain('bench-pi');
    });

    it('may be tried again when it is an upgrade', async () => {
      const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: a', `Origin: ${gone.origin}`];
      const head = [`GET / HTTP/1.1`, `Host: ${gone.host}`, `Cookie: ${gone.cookie}`, ...lines];
      const answer = await gone.raw(`${head.join('\r\n')}\r\n\r\n`);
      expect(answer).toMatchObject({ status: 503 });
      expect(answer.head).toMatch(/retry-after: \d/i);
    });
  });
});
