import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Fault } from '@warren/platform/errors/fault';
import { clientAddressOf } from '@warren/platform/http/client.address';
import { DeviceHosts } from '@warren/platform/http/device.host';
import { refusalOf, refuse } from '@warren/platform/http/refuse';
import { divertRequests } from '@warren/transport/divert';
import { checkFastPath } from '@warren/transport/fastpath/self.check';
import { passOn } from '@warren/transport/header.lines';
import type { Carried } from '@warren/transport/pump';
import { relay } from '@warren/transport/relay';
import { ReplicaConnections } from '@warren/transport/replica.connections';
import { askUpgrade, passAnswer, splice, UpgradeFailed, type Answer, type Upgrade } from '@warren/transport/upgrade';
import type { Express } from 'express';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import pLimit from 'p-limit';
import pRetry from 'p-retry';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { relayBytes, relaysOpen, upgradesTotal } from './metrics.ts';
import { passedLines } from './passed.lines.ts';
import { TunnelsReplicas } from './tunnels.replicas.ts';
import { answerUnavailable } from './unavailable.ts';

/** What an upgrade is for: a browser's socket, an agent's link, or a device's web service. */
type UpgradeKind = 'socket' | 'agent' | 'web';

const KINDS: ReadonlyMap<string, UpgradeKind> = new Map([
  ['/socketsio', 'socket'],
  ['/socketsio/', 'socket'],
  ['/agent/connect', 'agent'],
]);
/** Another replica may be up, or this one in a moment, as during a restart. An agent gives up after 15 s. */
const RETRY = { retries: 9, minTimeout: 50, maxTimeout: 1_000, maxRetryTime: 6_000, randomize: true };
/** Upgrades that wait for an answer. Few dials of agents, so that browsers' sockets keep their share of the process. */
const AT_ONCE = { socket: 1_024, agent: 64, web: 1_024 };
/** These, and the dials that queue; more are refused. */
const MOST = { socket: 1_024, agent: 20_064, web: 1_024 };
const BUSY_RETRY_S = 2;
/** Longer than tunnels waits for a device. */
const ANSWER_MS = 80_000;
/** Idle connections to a replica, kept for less time than the replica keeps them. */
const IDLE = { idle: 256, idleMs: 4_000 };

/** Passes sockets, agents' dials and requests for devices' hosts to any ready replica of tunnels, which routes them. */
@Injectable()
export class PassThrough implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(PassThrough.name);
  private readonly hosts: DeviceHosts;
  private readonly connections = new ReplicaConnections({ open: Infinity, ...IDLE });
  private readonly open = new Set<Upgrade['socket']>();
  private readonly turns = { socket: pLimit(AT_ONCE.socket), agent: pLimit(AT_ONCE.agent), web: pLimit(AT_ONCE.web) };
  private isStopping = false;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly replicas: TunnelsReplicas,
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
  ) {
    this.hosts = new DeviceHosts(config.HUB_URL, config.DEVICE_DOMAIN);
  }

  async onApplicationBootstrap(): Promise<void> {
    const slow = await checkFastPath();
    if (slow) this.log.warn(slow);
    const server = this.host.httpAdapter.getHttpServer() as Server;
    divertRequests(server, (request) =>
      this.isForDevice(request) ? (response) => void this.request(request, response) : undefined,
    );
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => {});
      socket.setNoDelay(true);
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
      void this.upgrade({ request, socket, head });
    });
  }

  /** Browsers and agents reconnect by themselves, to another gateway or to this one's successor. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const socket of this.open) socket.destroy();
  }

  private isForDevice({ headers }: IncomingMessage): boolean {
    return this.hosts.slugOf(headers.host) !== undefined;
  }

  private kindOf(request: IncomingMessage): UpgradeKind {
    if (this.isForDevice(request)) return 'web';
    const path = pathOf(request);
    const kind = request.method === 'GET' ? KINDS.get(path) : undefined;
    if (!kind) throw new Fault('not_found', `Nothing is upgraded at ${path}.`);
    return kind;
  }

  private async upgrade(upgrade: Upgrade): Promise<void> {
    let kind: UpgradeKind | 'none' = 'none';
    try {
      kind = this.kindOf(upgrade.request);
      // The server accepts connections for a moment longer, and then waits for all to end.
      if (this.isStopping) throw new Fault('unavailable', 'This gateway stops.', { retryAfter: 1 });
      const answer = await this.inTurn(kind, () => this.ask(upgrade, kind === 'web'));
      upgradesTotal.inc({ kind, status: answer.message.statusCode ?? 0 });
      if (!answer.upstream) return await passAnswer(answer.message, upgrade.socket);
      count(kind, splice(upgrade, answer));
    } catch (error) {
      this.refuse(kind, upgrade, error);
    }
  }

  private inTurn<T>(kind: UpgradeKind, work: () => Promise<T>): Promise<T> {
    const turn = this.turns[kind];
    if (turn.activeCount + turn.pendingCount < MOST[kind]) return turn(work);
    throw new Fault('unavailable', 'Too many connections are being made.', { retryAfter: BUSY_RETRY_S });
  }

  private ask({ request, socket }: Upgrade, toDevice: boolean): Promise<Answer> {
    const upgraded = ['Connection', 'Upgrade', 'Upgrade', request.headers.upgrade ?? ''];
    const lines = [...this.lines(request, toDevice), ...upgraded];
    const target = { name: 'The tunnels replica', path: request.url, lines };
    let address: string | undefined;
    const attempt = async () => {
      address = await this.replicas.pick(address);
      return askUpgrade({ ...target, address }, { socket });
    };
    return pRetry(attempt, { ...RETRY, shouldRetry: () => !socket.destroyed && !this.isStopping });
  }

  /** Never rejects. */
  private async request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const address = await this.replicas.pick();
      await relay(request, response, {
        connections: this.connections.of(address),
        path: request.url ?? '/',
        lines: this.lines(request, true),
        answerMs: ANSWER_MS,
        answerLines: (lines) => passOn(lines),
      });
    } catch (error) {
      this.log.debug({ err: error }, 'A request for a web service could not be passed on.');
      answerUnavailable(request, response);
    }
  }

  private lines(request: IncomingMessage, toDevice: boolean): string[] {
    const trusts = (this.host.httpAdapter.getInstance() as Express).get('trust proxy fn');
    return passedLines(request, clientAddressOf(request, trusts), toDevice);
  }

  private refuse(kind: string, { socket, request }: Upgrade, error: unknown): void {
    const fault = faultOf(error);
    const refusal = refusalOf(fault);
    upgradesTotal.inc({ kind, status: refusal.status });
    const fields = { path: pathOf(request), code: fault.code };
    if (fault.code === 'internal') this.log.error({ ...fields, err: error }, 'An upgrade could not be passed on.');
    else this.log.debug({ ...fields, reason: refusal.message }, 'An upgrade was refused.');
    refuse(socket, refusal);
  }
}

function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof UpgradeFailed) return new Fault('unavailable', error.message, { retryAfter: 1, cause: error });
  return new Fault('internal', 'Something went wrong on our side.');
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

/** Not awaited, and apart: a pending await beside the request would keep it for as long as the connection lasts. */
function count(kind: UpgradeKind, carried: Promise<Carried>): void {
  relaysOpen.inc({ kind });
  void carried.then((bytes) => {
    relaysOpen.dec({ kind });
    relayBytes.inc({ kind, direction: 'in' }, bytes.in);
    relayBytes.inc({ kind, direction: 'out' }, bytes.out);
  });
}
