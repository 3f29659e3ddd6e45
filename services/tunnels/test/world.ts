import 'reflect-metadata';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { freePort } from '@warren/infra/ports';
import { Fault } from '@warren/platform/errors/fault';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent, type Event } from '@warren/platform/events/event';
import type { LinkChange } from '@warren/proto/events/v1/events';
import type { Caller } from '@warren/platform/rpc/caller';
import { LocalTransport } from '@warren/platform/rpc/local.transport';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import { Role } from '@warren/proto/common/v1/common';
import { DevicesService, type FactsReport, type ReportFactsRequest } from '@warren/proto/devices/v1/devices';
import { IdentityService, SocketPurpose, type RedeemSocketTokenRequest } from '@warren/proto/identity/v1/identity';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { randomBytes } from 'node:crypto';
import type { Socket as TcpSocket } from 'node:net';
import { io, type Socket } from 'socket.io-client';
import { v7 as uuidv7 } from 'uuid';
import { appModule } from '../src/app.module.ts';
import { Lease } from '../src/broker/lease.ts';
import { tunnelsConfig } from '../src/config.ts';
import { TunnelsRpc } from '../src/control/tunnels.rpc.ts';
import { dialToken, FakeAgent, HUB, newDevice, type FakeAgentOptions, type TestDevice } from './fake.agent.ts';

interface KnownDevice extends TestDevice {
  sshEnabled: boolean;
}

/** What stands in for the identity and devices processes: the same calls, answered from here. */
export class Neighbours {
  readonly devices = new Map<string, KnownDevice>();
  readonly reports: FactsReport[] = [];
  readonly transport = new LocalTransport();
  /** Tokens that were asked about without being used up. */
  readonly peeked: string[] = [];
  /** Awaited before facts are taken. */
  beforeReport: () => Promise<void> = async () => {};
  private readonly tokens = new Map<
    string,
    { userId: string; accountId: string; deviceId: string; operator: boolean; purpose: SocketPurpose }
  >();

  constructor() {
    for (const service of [DevicesService, IdentityService]) this.transport.serve(service, this.handlersOf(service));
  }

  handlersOf(service: typeof DevicesService | typeof IdentityService): object {
    if (service === IdentityService) {
      return {
        redeemSocketToken: async (_caller: Caller, { token, userId, purpose }: RedeemSocketTokenRequest) =>
          this.redeem(token, userId, purpose),
        peekSocketToken: async (_caller: Caller, { token }: { token: string }) => this.peek(token),
      };
    }
    return {
      getDeviceCredentials: async (_caller: Caller, { deviceIds }: { deviceIds: string[] }) => ({
        credentials: deviceIds.flatMap((id) => this.credential(id)),
      }),
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
    { operator = false, purpose = SocketPurpose.TERMINAL } = {},
  ): string {
    const token = randomBytes(24).toString('base64url');
    this.tokens.set(token, { userId, accountId, deviceId, operator, purpose });
    return token;
  }

  /** Whether the web page of a device is on. */
  protected webEnabled(_deviceId: string): boolean {
    return false;
  }

  private credential(deviceId: string) {
    const device = this.devices.get(deviceId);
    if (!device) return [];
    const { publicKey, accountId, sshEnabled, currentId = '' } = device;
    return {
      ...{ deviceId, currentId },
      publicKey,
      accountId,
      sshEnabled,
      httpEnabled: this.webEnabled(deviceId),
      name: 'bench-pi',
      vncIp: '127.0.0.1',
      vncPort: 5901,
    };
  }

  private peek(token: string) {
    this.peeked.push(token);
    const known = this.tokens.get(token);
    if (!known) throw new Fault('permission_denied', 'The socket token is unknown or used.');
    return { deviceId: known.deviceId };
  }

  private redeem(token: string, userId: string, purpose: SocketPurpose) {
    const known = this.tokens.get(token);
    this.tokens.delete(token);
    if (!known || known.userId !== userId || purpose !== known.purpose) {
      throw new Fault('permission_denied', 'The socket token is unknown or used.');
    }
    const { accountId, deviceId, operator } = known;
    const user = { userId, accountId, email: 'ann@example.org', name: 'Ann', role: Role.MEMBER, operator };
    return { user, deviceId, deviceAccountId: this.devices.get(deviceId)?.accountId ?? '' };
  }
}

export interface Output {
  output: string | Buffer;
  offset: number;
}

/** What a socket is told, by any kind of session, but for the bytes. */
const TOLD = [
  ...['register_status', 'vnc_status', 'exit', 'client_disconnect', 'accepted'],
  ...['page', 'lines', 'older', 'older_failed', 'failed', 'units'],
];

/** A browser's socket that keeps what it was told. */
export class Browser {
  readonly outputs: Output[] = [];
  readonly told: [string, Record<string, unknown>][] = [];

  constructor(readonly socket: Socket) {
    socket.on('output', (message: Output) => this.outputs.push(message));
    for (const event of TOLD) {
      socket.on(event, (message: Record<string, unknown>) => this.told.push([event, message]));
    }
    socket.on('disconnect', (reason: string) => this.told.push(['disconnect', { reason }]));
    socket.on('connect_error', (error: Error & { data?: object }) =>
      this.told.push(['connect_error', { message: error.message, ...error.data }]),
    );
  }

  heard(event: string): Record<string, unknown> | undefined {
    return this.told.findLast(([name]) => name === event)?.[1];
  }

  /** All that was told by one event, in its order. */
  all(event: string): Record<string, unknown>[] {
    return this.told.filter(([name]) => name === event).map(([, message]) => message);
  }

  /** The TCP connection under the socket. */
  raw(): TcpSocket {
    const { transport } = this.socket.io.engine as unknown as { transport: { ws: { _socket: TcpSocket } } };
    return transport.ws._socket;
  }

  bytes(): Buffer {
    return Buffer.concat(this.outputs.map(({ output }) => Buffer.from(output as Buffer)));
  }

  text(): string {
    return this.outputs.map(({ output }) => output).join('');
  }
}

/** The news of links in some events, in their order. */
export function linksOf(events: readonly Event[]): LinkChange[] {
  return events.flatMap(({ kind }) => (kind.case === 'linksChanged' ? kind.value.links : []));
}

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
  }): Promise<World> {
    const neighbours = options.neighbours ?? new Neighbours();
    const port = options.port ?? (await freePort('127.0.0.1'));
    const url = `http://127.0.0.1:${port}`;
    const config = tunnelsConfig.parse({
      NODE_ENV: 'test',
      LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
      OPS_PORT: 0,
      NATS_URL: options.nats,
      REDIS_URL: options.redis,
      ...options.env,
      PORT: port,
      ADVERTISED_URL: url,
      HUB_URL: HUB,
    });
    const module = Test.createTestingModule({ imports: [appModule(config)] })
      .overrideProvider(NatsTransport)
      .useValue(neighbours.transport);
    const app = (await module.compile()).createNestApplication({ logger: false, bodyParser: false });
    await app.listen(port, '127.0.0.1');
    neighbours.transport.serve(TunnelsService, app.get(TunnelsRpc), app.get(Lease).replica);
    return new World(app, url, neighbours);
  }

  async agent(device: TestDevice, options: FakeAgentOptions = {}): Promise<FakeAgent> {
    const agent = await FakeAgent.dial(this.url, await dialToken(device, { instance: options.instance }), options);
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
    const { purpose = SocketPurpose.TERMINAL, namespace = 'terminal', hint = deviceId, headers = {} } = given;
    const token = given.token ?? this.neighbours.token(deviceId, userId, given.accountId ?? uuidv7(), { purpose });
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
