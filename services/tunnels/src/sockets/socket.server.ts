import { Inject, Injectable, Logger } from '@nestjs/common';
import { faultText } from '@warren/platform/errors/error.text';
import { Fault } from '@warren/platform/errors/fault';
import { refusalOf, refuse } from '@warren/platform/http/refuse';
import type { Upgrade } from '@warren/transport/upgrade';
import { Server as Engine } from 'engine.io';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server, type Socket } from 'socket.io';
import { Lease } from '../broker/lease.ts';
import { TUNNELS_CONFIG, type TunnelsConfig } from '../config.ts';
import { ClientAddress, originOf } from '../client.address.ts';
import { Links } from '../links/links.ts';
import { socketUpgrades } from '../telemetry/metrics.ts';
import { AccountSockets } from './account.sockets.ts';
import { Admission, type EarlyGrant } from './admission.ts';
import { Arrivals, Misdirected, type Arrival } from './arrivals.ts';
import type { Grant, GrantKind } from './grant.ts';
import { LiveGrants, type LiveGrant } from './live.grants.ts';

const MAX_MESSAGE = 1 << 20;
/** Timeout for joining a namespace. */
const JOIN_TIMEOUT_MS = 10_000;
const BUSY_RETRY_S = 2;
/** Sockets that are admitted while their token is checked; further ones wait for the result. */
const MAX_UNPROVEN = 64;
/** Often enough for a browser to notice a dead connection within 15 s. */
const PING_MS = 5_000;
/** Generous for a browser on a slow line, whose pong queues behind its uploads; a dead socket costs little until then. */
const PONG_MS = 20_000;

/** Socket.IO over WebSocket at `/socketsio`, with a namespace per kind of session, which its feature serves. */
@Injectable()
export class SocketServer {
  private readonly log = new Logger(SocketServer.name);
  private readonly served: GrantKind[] = [];
  private readonly engine: Engine;
  private readonly io: Server;
  /** Grants requested while a socket's connection is set up, and the device if it is linked here. */
  private readonly early = new WeakMap<IncomingMessage, Partial<EarlyGrant> & { linked: string | undefined }>();
  /** Sockets whose token is not verified yet. */
  private readonly unproven = new Set<Duplex>();

  constructor(
    private readonly admission: Admission,
    private readonly counts: AccountSockets,
    private readonly arrivals: Arrivals,
    private readonly grants: LiveGrants,
    private readonly links: Links,
    private readonly lease: Lease,
    private readonly address: ClientAddress,
    @Inject(TUNNELS_CONFIG) private readonly config: TunnelsConfig,
  ) {
    this.engine = new Engine({
      transports: ['websocket'],
      perMessageDeflate: false,
      maxHttpBufferSize: MAX_MESSAGE,
      pingInterval: PING_MS,
      pingTimeout: PONG_MS,
      allowUpgrades: false,
    });
    this.io = new Server({ serveClient: false, connectTimeout: JOIN_TIMEOUT_MS });
    this.io.bind(this.engine);
    this.engine.on('connection', () => socketUpgrades.inc({ status: 101, way: 'here' }));
    this.engine.on('connection_error', () => socketUpgrades.inc({ status: 400, way: 'here' }));
    this.io.use((_socket, next) => next(new Error(`There is nothing in this namespace; join ${this.names()}.`)));
  }

  /**
   * Serves the namespace `/{kind}`.
   * @param begin called with each admitted socket
   */
  serve(kind: GrantKind, begin: (socket: Socket, grant: Grant) => LiveGrant): void {
    this.served.push(kind);
    const namespace = this.io.of(`/${kind}`);
    namespace.use((socket, next) => void this.admit(kind, socket, next));
    namespace.on('connection', (socket) => {
      const undo = this.grants.add(begin(socket, socket.data as Grant));
      socket.once('disconnect', undo);
    });
  }

  /** Handles an upgrade request: serves it, or forwards it to the replica that holds the device. Never rejects. */
  async upgrade(upgrade: Upgrade): Promise<void> {
    try {
      const { origin } = upgrade.request.headers;
      if (origin !== undefined && origin !== this.config.HUB_URL)
        throw new Fault('permission_denied', `Origin ${origin} may not connect.`);
      const arrival = await this.arrivals.read(upgrade.request);
      if (await this.arrivals.pass(upgrade, arrival)) return;
      this.requireRoom();
      await this.open(upgrade, arrival);
    } catch (error) {
      this.refuse(upgrade, error);
    }
  }

  /** Closes every socket. */
  close(): void {
    this.engine.close();
  }

  private names(): string {
    return this.served.map((kind) => `/${kind}`).join(', ');
  }

  private requireRoom(): void {
    if (this.lease.serving && this.engine.clientsCount < this.config.MAX_SOCKETS) return;
    throw new Fault('unavailable', 'This replica takes no more sessions now.', { retryAfter: BUSY_RETRY_S });
  }

  private async open({ request, socket, head }: Upgrade, arrival: Arrival): Promise<void> {
    const { token, deviceId } = arrival;
    const linked = this.links.get(deviceId) ? deviceId : undefined;
    const early = this.admission.begin(arrival.query, linked);
    // Sockets without a valid token must not take the room of others.
    if (!arrival.proven && this.unproven.size >= MAX_UNPROVEN) await (early?.grant ?? this.arrivals.deviceOf(token));
    else if (!arrival.proven) this.watch(socket, early);
    this.early.set(request, { linked, ...early });
    this.engine.handleUpgrade(request as Parameters<Engine['handleUpgrade']>[0], socket, head);
  }

  /** Counts a socket until its token is verified. */
  private watch(socket: Duplex, early: EarlyGrant | undefined): void {
    const forget = () => void this.unproven.delete(socket);
    this.unproven.add(socket);
    socket.once('close', forget);
    early?.grant.then(forget, () => {});
  }

  private refuse({ request, socket }: Upgrade, error: unknown): void {
    if (error instanceof Misdirected) {
      socketUpgrades.inc({ status: 421, way: 'here' });
      return refuse(socket, { status: 421, code: 'failed_precondition', message: error.message });
    }
    const fault = error instanceof Fault ? error : new Fault('internal', 'Something went wrong on our side.');
    const { code } = fault;
    const from = this.address.of(request);
    if (code === 'internal') this.log.error({ err: error }, 'A socket could not be taken.');
    else this.log.debug({ code, from, reason: faultText(fault) }, 'A socket was refused.');
    const refusal = refusalOf(fault);
    socketUpgrades.inc({ status: refusal.status, way: 'here' });
    refuse(socket, refusal);
  }

  /** Counts a socket against the quota until it closes. */
  private async count(socket: Socket, { user, mostSockets }: Grant): Promise<void> {
    const undo = await this.counts.open(user, mostSockets);
    const { conn } = socket;
    if (conn.readyState !== 'open') return undo();
    conn.once('close', undo);
    socket.once('disconnect', undo);
  }

  private async admit(kind: GrantKind, socket: Socket, next: (error?: Error) => void): Promise<void> {
    try {
      const { query } = socket.handshake;
      const early = this.early.get(socket.request);
      this.early.delete(socket.request);
      const grant = await (early?.kind === kind && early.grant
        ? early.grant
        : this.admission.redeem(kind, query, early?.linked));
      await this.count(socket, grant);
      socket.data = { ...grant, origin: originOf(socket.request, this.address) } satisfies Grant;
      this.unproven.delete(socket.request.socket);
      next();
    } catch (error) {
      const fault = error instanceof Fault ? error : new Fault('internal', 'Something went wrong on our side.');
      if (fault.code === 'internal') this.log.error({ err: error, kind }, 'A socket could not be admitted.');
      next(Object.assign(new Error(faultText(fault)), { data: { code: fault.code, retryAfter: fault.retryAfter } }));
    }
  }
}
