import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Fault } from '@warren/platform/errors/fault';
import { refusalOf, refuse } from '@warren/platform/http/refuse';
import type { Carried } from '@warren/platform/relay/pump';
import { askUpgrade, passAnswer, splice, type Answer, type Upgrade } from '@warren/platform/relay/upgrade';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { AgentDoor } from './agent.door.ts';
import { PeerAddress } from './peer.address.ts';
import { WebForwarder } from './web.forwarder.ts';
import { Destinations, type Destination } from './destinations.ts';
import { relayBytes, relaysOpen, upgradesTotal } from './metrics.ts';
import { passedHeaders } from './request.head.ts';
import { upgradeKind, type UpgradeKind } from './routes.ts';

/** Upgrades that wait for a replica's answer at the same time; more are told to come back. */
const MAX_HALF_OPEN = 1_024;
const BUSY_RETRY_S = 2;
const MISDIRECTED = 421;
const REQUEST_ID = /^[\w-]{8,64}$/;

/** Brings browsers' sockets and agents' dials to the tunnels replica that they belong to, and stays out of their way. */
@Injectable()
export class Forwarder implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(Forwarder.name);
  private readonly open = new Set<Upgrade['socket']>();
  private halfOpen = 0;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly destinations: Destinations,
    private readonly door: AgentDoor,
    private readonly web: WebForwarder,
    private readonly address: PeerAddress,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
  ) {}

  onApplicationBootstrap(): void {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => {});
      socket.setNoDelay(true);
      void this.take({ request, socket, head });
    });
  }

  /** Browsers and agents come back by themselves, to another gateway or to this one's successor. */
  beforeApplicationShutdown(): void {
    for (const socket of this.open) socket.destroy();
  }

  private async take(upgrade: Upgrade): Promise<void> {
    const { url = '', method, headers } = upgrade.request;
    const [path = '', query = ''] = url.split('?', 2);
    const slug = this.web.slugOf(headers.host);
    const kind = slug !== undefined ? 'web' : upgradeKind(path);
    const { socket } = upgrade;
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
    try {
      if (!kind || method !== 'GET') throw new Fault('not_found', `Nothing is upgraded at ${path}.`);
      await this.forward(kind, slug ?? query, upgrade);
    } catch (error) {
      this.refuse(kind ?? 'none', upgrade, error);
    }
  }

  /** @param name what says where to go: the slug of a device's host, or the query of a socket */
  private async forward(kind: UpgradeKind, name: string, upgrade: Upgrade): Promise<void> {
    const answer =
      kind === 'agent'
        ? await this.door.pass(upgrade, (address) => this.askAt({ address }, upgrade))
        : await this.bounded(() => this.ask(kind, name, upgrade));
    upgradesTotal.inc({ kind, status: answer.message.statusCode ?? 0 });
    if (!answer.upstream) return passAnswer(answer.message, upgrade.socket);
    count(kind, splice(upgrade, answer));
  }

  private async bounded<T>(work: () => Promise<T>): Promise<T> {
    if (this.halfOpen >= MAX_HALF_OPEN) {
      throw new Fault('unavailable', 'Too many connections are being made.', { retryAfter: BUSY_RETRY_S });
    }
    this.halfOpen++;
    try {
      return await work();
    } finally {
      this.halfOpen--;
    }
  }

  private async ask(kind: Exclude<UpgradeKind, 'agent'>, name: string, upgrade: Upgrade): Promise<Answer> {
    if (kind === 'web') return this.web.ask(name, upgrade);
    const to = await this.destinations.ofSocket(name);
    const answer = await this.askAt(to, upgrade);
    if (answer.message.statusCode !== MISDIRECTED || !to.deviceId) return answer;
    // The device has moved since we looked. Once more is enough: whoever moves faster may come back.
    answer.message.destroy();
    return this.askAt({ ...to, address: await this.destinations.ofDevice(to.deviceId) }, upgrade);
  }

  private askAt({ address, deviceId }: Destination, upgrade: Upgrade): Promise<Answer> {
    const { request } = upgrade;
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : uuidv7();
    const proto = new URL(this.config.HUB_URL).protocol.slice(0, -1);
    const passed = { clientAddress: this.address.of(request), proto, requestId, deviceId };
    const lines = passedHeaders(request, passed);
    return askUpgrade({ address, name: "The device's replica", path: request.url, lines }, upgrade);
  }

  private refuse(kind: string, { socket, request }: Upgrade, error: unknown): void {
    const fault = error instanceof Fault ? error : new Fault('internal', 'Something went wrong on our side.');
    const refusal = refusalOf(fault);
    upgradesTotal.inc({ kind, status: refusal.status });
    const path = (request.url ?? '').split('?', 1)[0];
    if (fault.code === 'internal') this.log.error({ err: error, path }, 'An upgrade could not be forwarded.');
    else this.log.debug({ path, code: fault.code }, `An upgrade was refused: ${fault.message}`);
    refuse(socket, refusal);
  }
}

/** Not awaited, and apart: whatever waits beside the request would keep that for as long as the connection lasts. */
function count(kind: UpgradeKind, carried: Promise<Carried>): void {
  relaysOpen.inc({ kind });
  void carried.then((bytes) => {
    relaysOpen.dec({ kind });
    relayBytes.inc({ kind, direction: 'in' }, bytes.in);
    relayBytes.inc({ kind, direction: 'out' }, bytes.out);
  });
}
