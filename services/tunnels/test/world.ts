import 'reflect-metadata';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { freePort } from '@warren/infra/ports';
import { addRedisUser } from '@warren/infra/redis';
import { until } from '@warren/infra/until';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent, type Event } from '@warren/platform/events/event';
import { redisRules } from '@warren/platform/rights/redis.rights';
import { createRpcClient } from '@warren/platform/rpc/client';
import { NatsLink } from '@warren/platform/rpc/nats.connection';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import type { RpcClient } from '@warren/platform/rpc/types';
import type { LinkChange } from '@warren/proto/events/v1/events';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { io } from 'socket.io-client';
import { v7 as uuidv7 } from 'uuid';
import { appModule } from '../src/app.module.ts';
import { Lease } from '../src/broker/lease.ts';
import { tunnelsConfig } from '../src/config.ts';
import { TunnelsRpc } from '../src/control/tunnels.rpc.ts';
import { Links } from '../src/links/links.ts';
import { METRICS_PACE, USUAL_PACE, type MetricsPace } from '../src/links/metrics.reporter.ts';
import { METER_CLOCK, SYSTEM_CLOCK, type MeterClock } from '../src/metering/usage.meter.ts';
import { Browser } from './browser.ts';
import { dialToken, FakeAgent, HUB, type FakeAgentOptions, type TestDevice } from './fake.agent.ts';
import { Neighbours } from './neighbours.ts';
import { whileBusy } from './raw.dial.ts';

export { Browser } from './browser.ts';
export { Neighbours } from './neighbours.ts';

const tokenOf = ({ instance, machine }: FakeAgentOptions) => ({ instance, claims: machine });

/** The news of links in some events, in their order. */
export function linksOf(events: readonly Event[]): LinkChange[] {
  return events.flatMap(({ kind }) => (kind.case === 'linksChanged' ? kind.value.links : []));
}

/** Who the service is in Redis. */
export const REDIS_USER = { name: 'tunnels', rules: redisRules('tunnels') };

/** A tunnels process in this one, on a free port, with a real Redis and NATS. */
export class World {
  readonly events: Event[] = [];
  private readonly browsers: Browser[] = [];
  private readonly agents: FakeAgent[] = [];
  /** For each device, whether its links were added. */
  private readonly added = new Map<string, boolean[]>();

  private constructor(
    readonly app: INestApplication,
    readonly url: string,
    readonly neighbours: Neighbours,
  ) {
    this.app.get(EventBus).listen((event) => this.events.push(event));
    this.noteLinks(this.app.get(Links));
  }

  static async start(options: {
    redis: string;
    nats: string;
    port?: number;
    neighbours?: Neighbours;
    env?: object;
    /** What time counts by in what accounts use. */
    clock?: MeterClock;
    /** How often usage of devices is read. */
    metrics?: MetricsPace;
  }): Promise<World> {
    const neighbours = options.neighbours ?? new Neighbours();
    const port = options.port ?? (await freePort('127.0.0.1'));
    const url = `http://127.0.0.1:${port}`;
    const clustered = 'REDIS_MODE' in (options.env ?? {});
    const config = tunnelsConfig.parse({
      NODE_ENV: 'test',
      LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
      OPS_PORT: 0,
      NATS_URL: options.nats,
      REDIS_URL: clustered ? options.redis : await addRedisUser(options.redis, REDIS_USER),
      ...options.env,
      PORT: port,
      ADVERTISED_URL: url,
      HUB_URL: HUB,
    });
    const module = Test.createTestingModule({ imports: [appModule(config)] })
      .overrideProvider(NatsTransport)
      .useValue(neighbours.transport)
      .overrideProvider(METER_CLOCK)
      .useValue(options.clock ?? SYSTEM_CLOCK)
      .overrideProvider(METRICS_PACE)
      .useValue(options.metrics ?? USUAL_PACE);
    const app = (await module.compile()).createNestApplication({ logger: false, bodyParser: false });
    await app.listen(port, '127.0.0.1');
    neighbours.transport.serve(TunnelsService, app.get(TunnelsRpc), app.get(Lease).replica);
    return new World(app, url, neighbours);
  }

  /** Asks replicas over NATS. */
  get rpc(): RpcClient<typeof TunnelsService> {
    const link = this.app.get(NatsLink);
    return createRpcClient(TunnelsService, new NatsTransport(link, { own: undefined }, { name: 'test' }));
  }

  /** Addresses calls to this replica. */
  get here(): { instance: string } {
    return { instance: this.app.get(Lease).replica };
  }

  agent(device: TestDevice, options: FakeAgentOptions = {}): Promise<FakeAgent> {
    return this.linked(device, async () => {
      const agent = await FakeAgent.dial(this.url, await dialToken(device, tokenOf(options)), options);
      this.agents.push(agent);
      return agent;
    });
  }

  /** Dials again, as agents do, where the replica closes the link because its lease has lapsed: it does when this process stalls. */
  async linked<Agent extends { alive: boolean }>(device: TestDevice, dial: () => Promise<Agent>): Promise<Agent> {
    const outcomes = () => this.added.get(device.currentId ?? device.id) ?? [];
    for (;;) {
      const before = outcomes().length;
      const agent = await whileBusy(dial);
      await until(() => outcomes().length > before || !agent.alive);
      if (outcomes()[before] !== false) return agent;
    }
  }

  private noteLinks(links: Links): void {
    const add = links.add.bind(links);
    const note = (id: string, done: boolean) => this.added.set(id, [...(this.added.get(id) ?? []), done]);
    links.add = async (link) => {
      try {
        await add(link);
        note(link.deviceId, true);
      } catch (error) {
        note(link.deviceId, false);
        throw error;
      }
    };
  }

  browser(
    deviceId: string,
    given: {
      token?: string;
      userId?: string;
      accountId?: string;
      url?: string;
      namespace?: string;
      purpose?: SocketPurpose;
      /** Hash of the browser session that it is of. */
      session?: string;
      /** What the socket says in its query that it is for. */
      kind?: string;
      /** The device that it names there; none if empty, and the right one if not given. */
      hint?: string;
      headers?: Record<string, string>;
      /** Sent with the connection. */
      register?: object;
    } = {},
  ): Browser {
    const userId = given.userId ?? uuidv7();
    const { purpose = SocketPurpose.TERMINAL, namespace = 'terminal', hint = deviceId, headers = {}, session } = given;
    const options = { purpose, ...(session && { session }) };
    const token = given.token ?? this.tokenOf(deviceId, userId, { accountId: given.accountId, ...options });
    const socket = io(`${given.url ?? this.url}/${namespace}`, {
      path: '/socketsio',
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      query: { token, UserID: userId, ...(hint && { device: hint }), ...(given.kind && { kind: given.kind }) },
      extraHeaders: headers,
      ...(given.register && { auth: { register: given.register } }),
    });
    const browser = new Browser(socket);
    this.browsers.push(browser);
    return browser;
  }

  /** A token of somebody of the device's account, if no other is given: nobody but operators opens devices of those. */
  private tokenOf(
    deviceId: string,
    userId: string,
    { accountId, ...options }: { accountId: string | undefined; purpose: SocketPurpose; session?: string },
  ): string {
    const own = this.neighbours.devices.get(deviceId)?.accountId ?? uuidv7();
    const operator = accountId !== undefined && accountId !== own;
    return this.neighbours.token(deviceId, userId, accountId ?? own, { ...options, operator });
  }

  presence(deviceId: string): { kind: 'came' | 'went'; epoch: bigint }[] {
    return linksOf(this.events)
      .filter((link) => link.deviceId === deviceId)
      .map(({ connected, epoch }) => ({ kind: connected ? 'came' : 'went', epoch }));
  }

  async publish(kind: Event['kind'], accountId = '', actor = ''): Promise<void> {
    await this.app.get(EventBus).publish(newEvent({ accountId, actor, kind } as Parameters<typeof newEvent>[0]));
  }

  async stop(): Promise<void> {
    for (const { socket } of this.browsers) socket.disconnect();
    for (const agent of this.agents) agent.close();
    await this.app.close();
  }
}
