import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { startNats } from '@warren/infra/nats';
import { freePort } from '@warren/infra/ports';
import { startRedis } from '@warren/infra/redis';
import type { Server } from '@warren/infra/server';
import { until } from '@warren/infra/until';
import { commonConfig } from '@warren/platform/config/common';
import { EventBus } from '@warren/platform/events/event.bus';
import type { Event } from '@warren/platform/events/event';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import { ServiceModule } from '@warren/platform/service/service.module';
import { RecordingsService } from '@warren/proto/audit/v1/recordings';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { io } from 'socket.io-client';
import { v7 as uuidv7 } from 'uuid';
import { dialToken, FakeAgent, HUB, type TestDevice } from './fake.agent.ts';
import { Browser, Neighbours } from './world.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FAULT = join(import.meta.dirname, 'fault.preload.ts');

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

/** A tunnels process beside this one, with a NATS and a Redis that no other uses. */
export class TunnelsProcess {
  readonly neighbours = new Neighbours();
  readonly events: Event[] = [];
  child: ChildProcess | undefined;

  private constructor(
    readonly nats: Server,
    readonly redis: Server,
    readonly url: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  private bus: INestApplicationContext | undefined;

  /** Builds it and starts its servers, not the process. @param redisFolder where Redis keeps its data; without it Redis keeps nothing */
  static async prepare(redisFolder?: string): Promise<TunnelsProcess> {
    // What runs is what is written here, not what was built some time ago.
    const tsc = join(ROOT, 'node_modules/typescript-native/bin/tsc');
    const built = spawnSync(process.execPath, [tsc, '-b', 'services/tunnels'], { cwd: ROOT, stdio: 'inherit' });
    if (built.status !== 0) throw new Error('services/tunnels: it could not be compiled');
    const storage = redisFolder === undefined ? {} : { dir: redisFolder };
    const [nats, redis] = await Promise.all([startNats(), startRedis(storage)]);
    const [port, opsPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
    const url = `http://127.0.0.1:${port}`;
    const process_ = new TunnelsProcess(nats, redis, url, {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
      NATS_URL: nats.url,
      REDIS_URL: redis.url,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      ADVERTISED_URL: url,
      HUB_URL: HUB,
    });
    process_.bus = await serve(process_.neighbours, nats.url);
    process_.bus.get(EventBus).listen((event) => process_.events.push(event));
    return process_;
  }

  /** Starts it, and waits until it serves. @param fault the step at which it kills itself, once it is asked for a session */
  async start(fault?: string): Promise<void> {
    const preload = fault === undefined ? [] : ['--disable-warning=ExperimentalWarning', '--import', FAULT];
    const env = { ...this.env, ...(fault !== undefined && { FAULT: fault }) };
    const main = join(ROOT, 'services/tunnels/dist/main.js');
    this.child = spawn(process.execPath, [...preload, main], { env, stdio: 'inherit' });
    await until(async () => (await fetch(`http://127.0.0.1:${this.env['OPS_PORT']}/readyz`)).ok, 60_000);
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    const ended = this.ended();
    this.child?.kill(signal);
    await ended;
  }

  /** Waits for its end. @returns the signal that ended it */
  async ended(): Promise<string | null> {
    const { child } = this;
    if (!child) return null;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.signalCode;
  }

  /** Dials until it is let in, as an agent does. */
  async dial(device: TestDevice): Promise<FakeAgent> {
    let agent: FakeAgent | undefined;
    await until(async () => {
      agent = await FakeAgent.dial(this.url, await dialToken(device));
      return true;
    });
    if (!agent) throw new Error('The agent was not let in.');
    return agent;
  }

  /** Opens the socket of a person's terminal. */
  browser(device: TestDevice): Browser {
    const userId = uuidv7();
    const token = this.neighbours.token(device.id, userId, device.accountId);
    const socket = io(`${this.url}/terminal`, {
      path: '/socketsio',
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      query: { token, UserID: userId },
    });
    return new Browser(socket);
  }

  async stop(): Promise<void> {
    await this.kill('SIGTERM');
    await this.bus?.close();
    await Promise.all([this.nats.stop(), this.redis.stop()]);
  }
}
