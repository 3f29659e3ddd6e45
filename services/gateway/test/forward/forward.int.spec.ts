import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Module, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { freePort } from '@warren/infra/ports';
import { startRedis } from '@warren/infra/redis';
import { LocalTransport } from '@warren/platform/rpc/local.transport';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import { redisConfig } from '@warren/platform/config/common';
import { RedisModule } from '@warren/platform/redis/redis.module';
import { ServiceModule } from '@warren/platform/service/service.module';
import { Redis } from 'ioredis';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { gatewayConfig } from '../../src/config.ts';
import { ForwardModule } from '../../src/forward/forward.module.ts';
import { PassThrough } from '../../src/forward/pass.through.ts';
import { Replica } from './replica.ts';

interface Answered {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
  socket?: Socket;
}

describe('forwarding', () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let redis: Redis;
  let app: INestApplication;
  let port: number;
  let replicas: Replica[] = [];

  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
  });
  afterAll(async () => {
    redis?.disconnect();
    await server?.stop();
  });
  beforeEach(async () => {
    await redis.flushall();
    replicas = [await Replica.start('one'), await Replica.start('two')];
    await startGateway();
  });
  afterEach(async () => {
    replicas.forEach((replica) => replica.stop());
    await app?.close();
  });

  /** A new one for each test: it remembers for a moment which replicas there are. */
  async function startGateway(): Promise<void> {
    port = await freePort('127.0.0.1');
    const config = gatewayConfig.parse({
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      OPS_PORT: 0,
      NATS_URL: process.env['TEST_NATS_URL'],
      REDIS_URL: server.url,
      HUB_URL: 'http://hub.example',
      OPERATOR_EMAIL: 'operator@example.org',
      SAML_PROVIDERS: '[{"id":"default","name":"Test","metadata":"/nowhere.xml"}]',
    });
    class AppModule {}
    Module({
      imports: [
        ServiceModule.forRoot({ name: 'gateway', config }),
        RedisModule.forRoot({ config: redisConfig.parse({ REDIS_URL: server.url }), name: 'gateway' }),
        ForwardModule.forRoot(config),
      ],
    })(AppModule);
    const module = Test.createTestingModule({ imports: [AppModule] });
    const made = await module.overrideProvider(NatsTransport).useValue(new LocalTransport()).compile();
    app = made.createNestApplication({ logger: false, bodyParser: false });
    await app.listen(port, '127.0.0.1');
  }

  const upgrade = (path: string, headers: Record<string, string> = {}): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const sent = { Connection: 'Upgrade', Upgrade: 'websocket', ...headers };
      const request = http.request({ port, host: '127.0.0.1', path, headers: sent, agent: false });
      request.on('error', reject);
      request.on('upgrade', (response, socket) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: '', socket: socket as Socket }),
      );
      request.on('response', async (response) => {
        const parts: Buffer[] = [];
        for await (const part of response) parts.push(part as Buffer);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts).toString() });
      });
      request.end();
    });
  const pair = () => replicas as [Replica, Replica];

  it('passes a socket to any replica, and says itself who the client is', async () => {
    const [one, two] = pair();
    await Promise.all([one.join(redis), two.join(redis)]);
    const path = '/socketsio/?EIO=4&transport=websocket&token=a-token-of-some-length&UserID=u';
    const answered = await upgrade(path, {
      Cookie: 'warren=secret',
      'X-Forwarded-For': '6.6.6.6',
      'X-Real-IP': '6.6.6.6',
      'Warren-Device': 'forged',
      'Warren-Passed': '1',
      Origin: 'http://hub.example',
    });
    expect(answered.status).toBe(101);
    answered.socket?.destroy();
    const [request, ...others] = [...one.requests, ...two.requests];
    expect(others).toEqual([]);
    expect(request?.url).toBe(path);
    expect(request?.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      origin: 'http://hub.example',
      upgrade: 'websocket',
    });
    for (const name of ['cookie', 'x-real-ip', 'warren-device', 'warren-passed']) {
      expect(request?.headers).not.toHaveProperty(name);
    }
  });

  it('passes requests and upgrades for the host of a device, with their cookies', async () => {
    const [one] = pair();
    await one.join(redis);
    one.server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
      one.requests.push(request);
      response.end('served');
    });
    const sent = { Host: 'pi.devices.localhost:8080', Cookie: 'own=1', 'X-Forwarded-For': '6.6.6.6' };
    const upgraded = await upgrade('/socketsio', sent);
    expect(upgraded.status).toBe(101);
    upgraded.socket?.destroy();
    // Another protocol than WebSocket is not offered: an ordinary request.
    const answered = await upgrade('/any/path?query', { ...sent, Upgrade: 'other' });
    expect(answered).toMatchObject({ status: 200, body: 'served' });
    expect(one.requests.map(({ url }) => url)).toEqual(['/socketsio', '/any/path?query']);
    for (const { headers } of one.requests) {
      expect(headers).toMatchObject({ host: sent.Host, cookie: 'own=1', 'x-forwarded-for': '127.0.0.1' });
    }
  });

  it('passes megabytes both ways, whole', async () => {
    const [one] = pair();
    await one.join(redis);
    const { socket } = await upgrade('/agent/connect', { Upgrade: 'warren-h2' });
    if (!socket) throw new Error('not upgraded');
    const sent = createHash('sha256');
    const came = createHash('sha256');
    let size = 0;
    const total = 64 * (1 << 20);
    const reading = (async () => {
      for await (const part of socket) {
        came.update(part as Buffer);
        size += (part as Buffer).length;
        if (size === total) return;
      }
    })();
    for (let written = 0; written < total; written += 1 << 20) {
      const piece = randomBytes(1 << 20);
      sent.update(piece);
      if (!socket.write(piece)) await once(socket, 'drain');
    }
    await reading;
    expect(came.digest('hex')).toBe(sent.digest('hex'));
    socket.destroy();
  });

  it('hangs up on one side when the other is gone', async () => {
    const [one] = pair();
    await one.join(redis);
    const first = await upgrade('/agent/connect');
    const [upstream] = [...one.sockets];
    first.socket?.destroy();
    if (upstream && !upstream.destroyed) await once(upstream, 'close');
    const second = await upgrade('/agent/connect');
    [...one.sockets].at(-1)?.destroy();
    if (second.socket && !second.socket.destroyed) await once(second.socket.resume(), 'close');
    expect(upstream?.destroyed && second.socket?.destroyed).toBe(true);
  });

  it('passes an answer on that is no upgrade, and lets no second request follow it', async () => {
    const [one] = pair();
    await one.join(redis);
    one.answer = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\nRetry-After: 7\r\nDate: x\r\n\r\nno';
    const answered = await upgrade('/agent/connect', { Upgrade: 'warren-h2' });
    expect(answered).toMatchObject({ status: 401, body: 'no', headers: { 'retry-after': '7', connection: 'close' } });
  });

  it('takes agents to replicas that do not drain, and says 503 when there is none', async () => {
    const [one, two] = pair();
    await Promise.all([one.join(redis, { draining: '1' }), two.join(redis)]);
    for (let index = 0; index < 8; index++) (await upgrade('/agent/connect')).socket?.destroy();
    expect([one.requests.length, two.requests.length]).toEqual([0, 8]);
    await redis.flushall();
    const refused = await untilStatus(() => upgrade('/agent/connect'), 503);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect(JSON.parse(refused.body)).toMatchObject({ statusCode: 503, code: 'unavailable' });
  });

  it('lets agents wait while no replica is up, and passes them to the first that is', async () => {
    const [one] = pair();
    const away = await freePort('127.0.0.1');
    await one.join(redis, {}, `http://127.0.0.1:${away}`);
    const dials = Array.from({ length: 20 }, () => upgrade('/agent/connect'));
    await redis.flushall();
    await one.join(redis);
    const answers = await Promise.all(dials);
    expect(answers.map(({ status }) => status)).toEqual(dials.map(() => 101));
    for (const { socket } of answers) socket?.destroy();
  });

  it('takes an agent to another replica when the first is not there', async () => {
    const [one, two] = pair();
    await Promise.all([one.join(redis), two.join(redis)]);
    one.stop();
    for (let index = 0; index < 8; index++) {
      const answered = await upgrade('/agent/connect');
      expect(answered.status).toBe(101);
      answered.socket?.destroy();
    }
    expect(two.requests).toHaveLength(8);
  });

  it('says 503 when a replica closes the connection without an answer', async () => {
    const [one] = pair();
    const mute = createServer((socket) =>
      socket
        .on('error', () => {})
        .resume()
        .end(),
    ).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    await one.join(redis, {}, `http://127.0.0.1:${(mute.address() as AddressInfo).port}`);
    expect((await upgrade('/socketsio')).status).toBe(503);
    mute.close();
  });

  it('passes nothing on while it stops: what comes back at once would hold it', async () => {
    const [one] = pair();
    await one.join(redis);
    const { socket } = await upgrade('/agent/connect', { Upgrade: 'warren-h2' });
    const ended = socket && once(socket, 'close');
    app.get(PassThrough).beforeApplicationShutdown();
    await ended;
    const again = await upgrade('/agent/connect', { Upgrade: 'warren-h2' });
    again.socket?.destroy();
    expect(again.status).toBe(503);
    expect(again.headers['retry-after']).toBeDefined();
    expect(one.requests).toHaveLength(1);
  });

  it('refuses other paths, and requests without an upgrade', async () => {
    const [one] = pair();
    await one.join(redis);
    for (const path of ['/', '/api/devices', '/socketsio/terminal', '/agent/enrol', '//agent/connect', '/__proto__']) {
      expect([path, (await upgrade(path)).status]).toEqual([path, 404]);
    }
    for (const path of ['/socketsio/?EIO=4&transport=polling', '/agent/connect']) {
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(426);
    }
    expect(one.requests).toHaveLength(0);
  });

  it('lives through a client that sends rubbish or hangs up early', async () => {
    const [one] = pair();
    await one.join(redis);
    const raw = connect(port, '127.0.0.1');
    raw.write('GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    raw.resume();
    await once(raw, 'close');
    const hasty = connect(port, '127.0.0.1');
    hasty.write('GET /agent/connect HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: warren-h2\r\n\r\n');
    await once(one.server, 'upgrade');
    hasty.destroy();
    const next = await upgrade('/agent/connect');
    expect(next.status).toBe(101);
    next.socket?.destroy();
  });

  /** The list of replicas is known for half a second. */
  async function untilStatus(ask: () => Promise<Answered>, status: number): Promise<Answered> {
    const end = Date.now() + 20_000;
    while (Date.now() < end) {
      const answered = await ask();
      if (answered.status === status) return answered;
      answered.socket?.destroy();
    }
    throw new Error(`Never ${status}.`);
  }
});
