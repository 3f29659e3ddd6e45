import 'reflect-metadata';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { addRedisUser } from '@warren/infra/redis';
import { redisRules } from '@warren/platform/rights/redis.rights';
import { freePort } from '@warren/infra/ports';
import { Fault } from '@warren/platform/errors/fault';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent, type Event } from '@warren/platform/events/event';
import type { LinkChange } from '@warren/proto/events/v1/events';
import type { Caller } from '@warren/platform/rpc/caller';
import { LocalTransport } from '@warren/platform/rpc/local.transport';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import { Role } from '@warren/proto/common/v1/common';
import {
  DevicesService,
  type CheckDeviceAccessRequest,
  type FactsReport,
  type ReportFactsRequest,
} from '@warren/proto/devices/v1/devices';
import {
  IdentityService,
  SocketPurpose,
  type CheckSessionsRequest,
  type RedeemSocketTokenRequest,
  type SessionUse,
} from '@warren/proto/identity/v1/identity';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { randomBytes } from 'node:crypto';
import { io } from 'socket.io-client';
import { v7 as uuidv7 } from 'uuid';
import { appModule } from '../src/app.module.ts';
import { Lease } from '../src/broker/lease.ts';
import { tunnelsConfig } from '../src/config.ts';
import { TunnelsRpc } from '../src/control/tunnels.rpc.ts';
import { MetricsService } from '@warren/proto/fleet/v1/metrics';
import { METRICS_PACE, USUAL_PACE, type MetricsPace } from '../src/links/metrics.reporter.ts';
import { METER_CLOCK, SYSTEM_CLOCK, type MeterClock } from '../src/metering/usage.meter.ts';
import { Browser } from './browser.ts';
import { FakeFleet } from './fake.fleet.ts';
import { emailOf, FakePeople } from './fake.people.ts';
import { dialToken, FakeAgent, HUB, newDevice, type FakeAgentOptions, type TestDevice } from './fake.agent.ts';
import { whileBusy } from './raw.dial.ts';

export { Browser } from './browser.ts';

interface KnownDevice extends TestDevice {
  sshEnabled: boolean;
  serial?: string;
  separateSerials?: string[];
  keyShared?: boolean;
  accountDisabled?: boolean;
}

/** Substitutes the identity and devices processes: answers the same calls from here. */
export class Neighbours {
  readonly devices = new Map<string, KnownDevice>();
  readonly reports: FactsReport[] = [];
  readonly fleet = new FakeFleet();
  readonly people = new FakePeople();
  readonly transport = new LocalTransport();
  /** How many sockets each account may have open; unlimited if absent. */
  mostSockets: bigint | undefined;
  /** Tokens that were asked about without being used up. */
  readonly peeked: string[] = [];
  /** Awaited before facts are taken. */
  beforeReport: () => Promise<void> = async () => {};
  /** Browser sessions by their hashes, and when they end by `performance.now()`; one that is not there has ended. */
  readonly sessionEnds = new Map<string, number>();
  /** What was asked about them. */
  readonly checked: SessionUse[] = [];
  /** Awaited before sessions are announced. */
  beforeCheck: () => Promise<void> = async () => {};
  private readonly tokens = new Map<
    string,
    {
      userId: string;
      accountId: string;
      deviceId: string;
      operator: boolean;
      purpose: SocketPurpose;
      session: string;
      explicitGrants: boolean;
    }
  >();

  constructor() {
    for (const service of [DevicesService, IdentityService]) this.transport.serve(service, this.handlersOf(service));
    this.transport.serve(MetricsService, this.fleet);
    this.people.serve(this.transport);
  }

  handlersOf(service: typeof DevicesService | typeof IdentityService): object {
    if (service === IdentityService) {
      return {
        redeemSocketToken: async (_caller: Caller, { token, userId, purpose }: RedeemSocketTokenRequest) =>
          this.redeem(token, userId, purpose),
        checkSessions: async (_caller: Caller, { sessions }: CheckSessionsRequest) => {
          await this.beforeCheck();
          this.checked.push(...sessions);
          return { leftMs: sessions.map(({ session }) => this.timeLeft(session)) };
        },
        peekSocketToken: async (_caller: Caller, { token }: { token: string }) => this.peek(token),
      };
    }
    return {
      getDeviceCredentials: async (_caller: Caller, { deviceIds }: { deviceIds: string[] }) => ({
        credentials: deviceIds.flatMap((id) => this.credential(id)),
      }),
      checkDeviceAccess: async (_caller: Caller, request: CheckDeviceAccessRequest) => this.people.check(request),
      reportFacts: async (_caller: Caller, request: ReportFactsRequest) => {
        await this.beforeReport();
        const known = ({ deviceId }: FactsReport) => this.devices.has(deviceId);
        this.reports.push(...request.reports.filter(known));
        const unknown = request.reports.filter((report) => !known(report));
        return { refused: unknown.map(({ deviceId }) => ({ deviceId, code: 'not_found', message: 'Not found.' })) };
      },
    };
  }

  device(): KnownDevice {
    const device = { ...newDevice(), sshEnabled: true };
    this.devices.set(device.id, device);
    return device;
  }

  token(
    deviceId: string,
    userId: string,
    accountId: string,
    { operator = false, purpose = SocketPurpose.TERMINAL, session = '' } = {},
  ): string {
    const token = randomBytes(24).toString('base64url');
    this.people.know(userId, { accountId, operator });
    const explicitGrants = this.people.restricted.has(userId);
    this.tokens.set(token, { userId, accountId, deviceId, operator, purpose, session, explicitGrants });
    return token;
  }

  /** Milliseconds that a browser session has left. */
  protected timeLeft(session: string): number {
    return Math.max(0, Math.ceil((this.sessionEnds.get(session) ?? 0) - performance.now()));
  }

  /** Whether the web service of a device is on. */
  protected webEnabled(_deviceId: string): boolean {
    return false;
  }

  private credential(deviceId: string) {
    const device = this.devices.get(deviceId);
    if (!device) return [];
    const { publicKey, accountId, sshEnabled, accountDisabled = false, currentId = '' } = device;
    const { serial = '', separateSerials = [], keyShared = false } = device;
    return {
      deviceId,
      currentId,
      publicKey,
      accountId,
      accountDisabled,
      sshEnabled: sshEnabled && !accountDisabled,
      httpEnabled: this.webEnabled(deviceId),
      name: 'bench-pi',
      vncIp: '127.0.0.1',
      vncPort: 5901,
      serial,
      separateSerials,
      keyShared,
    };
  }

  private peek(token: string) {
    this.peeked.push(token);
    const known = this.tokens.get(token);
    if (!known) throw new Fault('permission_denied', 'The socket token is unknown or used.');
    return { deviceId: known.deviceId };
  }

  protected quota() {
    return this.mostSockets === undefined ? {} : { mostSockets: this.mostSockets };
  }

  private redeem(token: string, userId: string, purpose: SocketPurpose) {
    const known = this.tokens.get(token);
    this.tokens.delete(token);
    if (!known || known.userId !== userId || purpose !== known.purpose) {
      throw new Fault('permission_denied', 'The socket token is unknown or used.');
    }
    const { accountId, deviceId, operator, session } = known;
    const { explicitGrants } = known;
    const user = {
      userId,
      accountId,
      email: emailOf(userId),
      name: 'Ann',
      role: Role.MEMBER,
      operator,
      explicitGrants,
    };
    return { user, deviceId, deviceAccountId: this.devices.get(deviceId)?.accountId ?? '', session, ...this.quota() };
  }
}

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

  private constructor(
    readonly app: INestApplication,
    readonly url: string,
    readonly neighbours: Neighbours,
  ) {
    this.app.get(EventBus).listen((event) => this.events.push(event));
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

  async agent(device: TestDevice, options: FakeAgentOptions = {}): Promise<FakeAgent> {
    const agent = await whileBusy(async () =>
      FakeAgent.dial(this.url, await dialToken(device, tokenOf(options)), options),
    );
    this.agents.push(agent);
    return agent;
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
