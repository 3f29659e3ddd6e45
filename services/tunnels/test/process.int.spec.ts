import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { startNats } from '@warren/infra/nats';
import { freePort } from '@warren/infra/ports';
import { startRedis } from '@warren/infra/redis';
import { commonConfig } from '@warren/platform/config/common';
import { EventBus } from '@warren/platform/events/event.bus';
import type { Event } from '@warren/platform/events/event';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import { ServiceModule } from '@warren/platform/service/service.module';
import { RecordingsService } from '@warren/proto/audit/v1/recordings';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { Module } from '@nestjs/common';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { io } from 'socket.io-client';
import { v7 as uuidv7 } from 'uuid';
import { dialToken, FakeAgent, HUB, type TestDevice } from './fake.agent.ts';
import { settled, until } from '@warren/infra/until';
import { Browser, linksOf, Neighbours } from './world.ts';

const ROOT = join(import.meta.dirname, '../../..');
const MEGABYTE = 1 << 20;

/** Serves what the neighbours answer over the real bus, as their processes do. */
async function serve(neighbours: Neighbours, natsUrl: string): Promise<INestApplicationContext> {
  const config = commonConfig.parse({ NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL: natsUrl });
  class NeighboursModule {}
  Module({ imports: [ServiceModule.forRoot({ name: 'neighbours', config })] })(NeighboursModule);
  const app = await NestFactory.create(NeighboursModule, { logger: false, abortOnError: false });
  for (const service of [DevicesService, IdentityService, RecordingsService]) {
    app.get(RpcServer).serve(service, neighbours.handlersOf(service) as never);
  }
  await app.init();
  return app;
}

describe('the tunnels process', () => {
  let nats: Awaited<ReturnType<typeof startNats>>;
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let bus: INestApplicationContext;
  let child: ChildProcess | undefined;
  let url: string;
  let env: NodeJS.ProcessEnv;
  const neighbours = new Neighbours();
  const events: Event[] = [];

  const start = async () => {
    child = spawn(process.execPath, [join(ROOT, 'services/tunnels/dist/main.js')], { env, stdio: 'inherit' });
    await until(async () => (await fetch(`http://127.0.0.1:${env['OPS_PORT']}/readyz`)).ok, 60_000);
  };
  const kill = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  const presence = (device: TestDevice) =>
    linksOf(events)
      .filter(({ deviceId, connected }) => deviceId === device.id && connected)
      .map(({ epoch }) => epoch);
  const residentBytes = () => {
    const status = readFileSync(`/proc/${child?.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  };
  /** Dials until it is let in, as an agent does. */
  const dial = async (device: TestDevice): Promise<FakeAgent> => {
    let agent: FakeAgent | undefined;
    await until(async () => {
      agent = await FakeAgent.dial(url, await dialToken(device));
      return true;
    });
    if (!agent) throw new Error('The agent was not let in.');
    return agent;
  };

  beforeAll(async () => {
    // What runs is what is written here, not what was built some time ago.
    const tsc = join(ROOT, 'node_modules/typescript-native/bin/tsc');
    const built = spawnSync(process.execPath, [tsc, '-b', 'services/tunnels'], { cwd: ROOT, stdio: 'inherit' });
    expect(built.status).toBe(0);
    [nats, redis] = await Promise.all([startNats(), startRedis()]);
    const [port, opsPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
    url = `http://127.0.0.1:${port}`;
    env = {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
      NATS_URL: nats.url,
      REDIS_URL: redis.url,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      ADVERTISED_URL: url,
      HUB_URL: HUB,
    };
    bus = await serve(neighbours, nats.url);
    bus.get(EventBus).listen((event) => events.push(event));
    await start();
  });

  afterAll(async () => {
    await kill('SIGTERM');
    await bus?.close();
    await Promise.all([nats?.stop(), redis?.stop()]);
  });

  it('keeps idle connections for longer than proxies do', async () => {
    const answer = await fetch(url);
    expect(answer.headers.get('keep-alive')).toBe('timeout=65');
  });

  it('comes back after a kill -9, and its devices with it at once', async () => {
    const device = neighbours.device();
    const first = await dial(device);
    await until(() => presence(device).length === 1);
    await kill('SIGKILL');
    await until(() => !first.alive);
    await start();
    // How long a program takes to load is the machine's affair; what it finds of the one before holds it up no longer.
    const readyAt = Date.now();
    const again = await dial(device);
    await until(() => presence(device).length === 2);
    expect(Date.now() - readyAt).toBeLessThan(5_000);
    const [before = 0n, after = 0n] = presence(device);
    expect(after > before).toBe(true);
    again.kill();
  });

  it('stays small while a browser does not read, and loses nothing', async () => {
    const device = neighbours.device();
    const agent = await dial(device);
    await until(() => presence(device).length > 0);
    const userId = uuidv7();
    const token = neighbours.token(device.id, userId, device.accountId);
    const socket = io(`${url}/terminal`, {
      path: '/socketsio',
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      query: { token, UserID: userId },
    });
    const browser = new Browser(socket);
    socket.emit('register', { cols: 80, rows: 24, encoding: 'binary', acks: true });
    await until(() => browser.heard('register_status')?.['success'] === true);
    const piece = Buffer.alloc(64 * 1024, 'm');
    for (let index = 0; index < 256; index++) await agent.last().print(piece);
    await until(() => browser.outputs.length > 0);
    const before = residentBytes();
    const raw = (socket.io.engine.transport as unknown as { ws: { _socket: import('node:net').Socket } }).ws._socket;
    raw.pause();
    let printed = 256;
    let going = true;
    const printing = (async () => {
      for (; going && printed < 4_096; printed++) await agent.last().print(piece);
    })();
    // The stream has stopped when nothing more is taken for a while.
    const last = await settled(() => printed);
    expect(printed).toBeLessThan(1_000);
    expect(residentBytes() - before).toBeLessThan(64 * MEGABYTE);
    raw.resume();
    await until(() => printed > last + 500, 40_000);
    expect(residentBytes() - before).toBeLessThan(64 * MEGABYTE);
    going = false;
    await printing;
    const received = () => browser.outputs.reduce((sum, { output }) => sum + output.length, 0);
    await until(() => received() === agent.last().offset, 40_000);
    let expected = 0;
    for (const { output, offset } of browser.outputs) {
      expect(offset).toBe(expected);
      expected += (output as Buffer).length;
    }
    socket.disconnect();
    agent.kill();
  });

  it('stops in good order when asked to', async () => {
    const device = neighbours.device();
    const agent = await dial(device);
    await until(() => presence(device).length > 0);
    await kill('SIGTERM');
    expect(child?.exitCode).toBe(0);
    // It was sent before the end, and is on its way here still.
    await until(() => agent.goneAway);
    await until(() => linksOf(events).some(({ deviceId, connected }) => deviceId === device.id && !connected));
  });
});
