import { Inject, Injectable, Logger } from '@nestjs/common';
import { ReplicaDirectory } from '@warren/platform/broker/directory';
import { Fault } from '@warren/platform/errors/fault';
import { refuse } from '@warren/platform/http/refuse';
import { Server as Engine } from 'engine.io';
import type { IncomingMessage } from 'node:http';
import { Server, type Socket } from 'socket.io';
import { Lease } from '../broker/lease.ts';
import { TUNNELS_CONFIG, type TunnelsConfig } from '../config.ts';
import type { Upgrade } from '../edge/upgrade.ts';
import { Links } from '../links/links.ts';
import { Admission, type EarlyGrant } from './admission.ts';
import type { Grant, SessionKind } from './grant.ts';
import { OpenSessions, type OpenSession } from './open.sessions.ts';

const MAX_MESSAGE = 1 << 20;
/** A socket that has not joined a namespace by then is closed. */
const JOIN_TIMEOUT_MS = 10_000;
const BUSY_RETRY_S = 2;
/** Often enough for a browser to notice within 15 s that it hears nothing any more. */
const PING_MS = 5_000;
/** Patient with a browser behind a slow line, whose answer waits behind what it sends; it costs a socket that nobody reads. */
const PONG_MS = 20_000;

/** Socket.IO over WebSocket at `/socketsio`: a namespace for each kind of session, whose feature serves it. */
@Injectable()
export class SocketServer {
  private readonly log = new Logger(SocketServer.name);
  private readonly served: SessionKind[] = [];
  private readonly engine: Engine;
  private readonly io: Server;
  /** Rights asked for while a socket's connection is made. */
  private readonly early = new WeakMap<IncomingMessage, EarlyGrant>();

  constructor(
    private readonly admission: Admission,
    private readonly sessions: OpenSessions,
    private readonly links: Links,
    private readonly lease: Lease,
    private readonly directory: ReplicaDirectory,
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
    this.io.use((_socket, next) => next(new Error(`There is nothing in this namespace; join ${this.names()}.`)));
  }

  /**
   * Serves the namespace `/{kind}`.
   * @param begin called with each socket that was admitted
   */
  serve(kind: SessionKind, begin: (socket: Socket, grant: Grant) => OpenSession): void {
    this.served.push(kind);
    const namespace = this.io.of(`/${kind}`);
    namespace.use((socket, next) => void this.admit(kind, socket, next));
    namespace.on('connection', (socket) => {
      const undo = this.sessions.add(begin(socket, socket.data as Grant));
      socket.once('disconnect', undo);
    });
  }

  /** Takes an upgrade request over. Never rejects. */
  async upgrade({ request, socket, head }: Upgrade): Promise<void> {
    const { origin } = request.headers;
    if (origin !== undefined && origin !== this.config.HUB_URL) {
      return refuse(socket, { status: 403, code: 'permission_denied', message: `Origin ${origin} may not connect.` });
    }
    if (!this.lease.serving || this.engine.clientsCount >= this.config.MAX_SOCKETS) {
      const message = 'This replica takes no more sessions now.';
      return refuse(socket, { status: 503, code: 'unavailable', message, retryAfter: BUSY_RETRY_S });
    }
    if (await this.isElsewhere(request.headers['warren-device'])) {
      return refuse(socket, { status: 421, code: 'failed_precondition', message: 'Another replica holds the device.' });
    }
    const early = this.admission.begin(queryOf(request), this.broughtFor(request));
    if (early) this.early.set(request, early);
    this.engine.handleUpgrade(request as Parameters<Engine['handleUpgrade']>[0], socket, head);
  }

  /** Closes every socket. */
  close(): void {
    this.engine.close();
  }

  private names(): string {
    return this.served.map((kind) => `/${kind}`).join(', ');
  }

  /** The gateway names the device that it brings the socket for; its knowledge may be a moment old. */
  private async isElsewhere(deviceId: string | string[] | undefined): Promise<boolean> {
    if (typeof deviceId !== 'string' || this.links.get(deviceId)) return false;
    const location = await this.directory.locate(deviceId).catch(() => undefined);
    return location !== undefined && location.replica !== this.lease.replica;
  }

  /** The device that the gateway says the socket is for, if it is linked here. */
  private broughtFor({ headers }: IncomingMessage): string | undefined {
    const brought = headers['warren-device'];
    return typeof brought === 'string' && this.links.get(brought) ? brought : undefined;
  }

  private async admit(kind: SessionKind, socket: Socket, next: (error?: Error) => void): Promise<void> {
    try {
      const { query } = socket.handshake;
      const early = this.early.get(socket.request);
      this.early.delete(socket.request);
      const fits = early?.kind === kind;
      socket.data = await (fits ? early.grant : this.admission.redeem(kind, query, this.broughtFor(socket.request)));
      next();
    } catch (error) {
      const fault = error instanceof Fault ? error : new Fault('internal', 'Something went wrong on our side.');
      if (fault.code === 'internal') this.log.error({ err: error, kind }, 'A socket could not be admitted.');
      next(Object.assign(new Error(fault.message), { data: { code: fault.code, retryAfter: fault.retryAfter } }));
    }
  }
}

/** The names and values of a request's query. */
function queryOf({ url = '' }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.split('?', 2)[1]));
}
