import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { startNats } from '@warren/infra/nats';
import { freePort } from '@warren/infra/ports';
import { startRedis } from '@warren/infra/redis';
import type { Server } from '@warren/infra/server';
import { ServiceProcess } from '@warren/infra/service.process';
import { until } from '@warren/infra/until';
import { commonConfig } from '@warren/platform/config/common';
import { EventBus } from '@warren/platform/events/event.bus';
import type { Event } from '@warren/platform/events/event';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import { ServiceModule } from '@warren/platform/service/service.module';
import { RecordingsService } from '@warren/proto/audit/v1/recordings';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { io } from 'socket.io-client';
import { v7 as uuidv7 } from 'uuid';
import { dialToken, FakeAgent, HUB, type TestDevice } from './fake.agent.ts';
import { Browser, Neighbours } from './world.ts';

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

  private constructor(
    readonly nats: Server,
    readonly redis: Server,
    readonly url: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly service: ServiceProcess,
  ) {}

  get child(): ChildProcess | undefined {
    return this.service.child;
  }

  private bus: INestApplicationContext | undefined;

  /** Builds it and starts its servers, not the process. @param redisFolder where Redis keeps its data; without it Redis keeps nothing */
  static async prepare(redisFolder?: string): Promise<TunnelsProcess> {
    const service = new ServiceProcess('tunnels', join(import.meta.dirname, 'fault.preload.ts'));
    service.build();
    const storage = redisFolder === undefined ? {} : { dir: redisFolder };
    const [nats, redis] = await Promise.all([startNats(), startRedis(storage)]);
    const [port, opsPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
    const url = `http://127.0.0.1:${port}`;
    const env = {
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
    const process_ = new TunnelsProcess(nats, redis, url, env, service);
    process_.bus = await serve(process_.neighbours, nats.url);
    process_.bus.get(EventBus).listen((event) => process_.events.push(event));
    return process_;
  }

  /** Starts it, and waits until it serves. @param fault the step at which it kills itself, once it is asked for a session */
  async start(fault?: string): Promise<void> {
    await this.service.start({ ...this.env, ...(fault !== undefined && { FAULT: fault }) });
  }

  kill(signal: NodeJS.Signals): Promise<void> {
    return this.service.kill(signal);
  }

  /** Waits for its end. @returns the signal that ended it */
  ended(): Promise<string | null> {
    return this.service.ended();
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
