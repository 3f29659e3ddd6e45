import { Inject, Injectable, Logger } from '@nestjs/common';
import { ReplicaDirectory } from '@warren/platform/broker/directory';
import { Fault } from '@warren/platform/errors/fault';
import { refuse } from '@warren/platform/http/refuse';
import { Server as Engine } from 'engine.io';
import { Server } from 'socket.io';
import { Lease } from '../broker/lease.ts';
import { TUNNELS_CONFIG, type TunnelsConfig } from '../config.ts';
import type { Upgrade } from '../edge/upgrade.ts';
import { Links } from '../links/links.ts';
import { Admission, type Grant } from './admission.ts';
import type { ClientMessages, ServerMessages } from './messages.ts';
import type { BrowserSocket } from './socket.sink.ts';
import { TerminalSocket } from './terminal.socket.ts';

const MAX_MESSAGE = 1 << 20;
/** A socket that has not joined a namespace by then is closed. */
const JOIN_TIMEOUT_MS = 10_000;
const BUSY_RETRY_S = 2;

/** Socket.IO over WebSocket at `/socketsio`, namespace `/terminal`. */
@Injectable()
export class TerminalServer {
  private readonly log = new Logger(TerminalServer.name);
  private readonly sockets = new Set<TerminalSocket>();
  private readonly engine: Engine;

  constructor(
    private readonly admission: Admission,
    private readonly links: Links,
    private readonly lease: Lease,
    private readonly directory: ReplicaDirectory,
    @Inject(TUNNELS_CONFIG) private readonly config: TunnelsConfig,
  ) {
    this.engine = new Engine({
      transports: ['websocket'],
      perMessageDeflate: false,
      maxHttpBufferSize: MAX_MESSAGE,
      allowUpgrades: false,
    });
    const io = new Server<ClientMessages, ServerMessages>({ serveClient: false, connectTimeout: JOIN_TIMEOUT_MS });
    io.bind(this.engine);
    io.use((_socket, next) => next(new Error('There is nothing in this namespace; /terminal is the one to join.')));
    const terminals = io.of('/terminal');
    terminals.use((socket, next) => void this.admit(socket, next));
    terminals.on('connection', (socket) => this.begin(socket));
  }

  /** Terminals that are attached. */
  get active(): number {
    return this.all().filter((socket) => socket.active).length;
  }

  all(): TerminalSocket[] {
    return [...this.sockets];
  }

  /** Takes an upgrade request over. Never rejects. */
  async upgrade({ request, socket, head }: Upgrade): Promise<void> {
    const { origin } = request.headers;
    if (origin !== undefined && origin !== this.config.HUB_URL) {
      return refuse(socket, { status: 403, code: 'permission_denied', message: `Origin ${origin} may not connect.` });
    }
    if (!this.lease.serving || this.engine.clientsCount >= this.config.MAX_TERMINALS) {
      const message = 'This replica takes no more terminals now.';
      return refuse(socket, { status: 503, code: 'unavailable', message, retryAfter: BUSY_RETRY_S });
    }
    if (await this.isElsewhere(request.headers['warren-device'])) {
      return refuse(socket, { status: 421, code: 'failed_precondition', message: 'Another replica holds the device.' });
    }
    this.engine.handleUpgrade(request as Parameters<Engine['handleUpgrade']>[0], socket, head);
  }

  /** Ends the sockets that the test is true of, and what runs in their terminals. */
  async withdraw(reason: string, of: (grant: Grant) => boolean): Promise<void> {
    const ended = this.all().filter((socket) => of(socket.grant));
    await Promise.all(ended.map((socket) => socket.withdraw(reason)));
  }

  /** Sends every browser away; their terminals live on at the agents. */
  release(reason: string): void {
    for (const socket of this.sockets) socket.release(reason);
    this.engine.close();
  }

  /** The gateway names the device that it brings the socket for; its knowledge may be a moment old. */
  private async isElsewhere(deviceId: string | string[] | undefined): Promise<boolean> {
    if (typeof deviceId !== 'string' || this.links.get(deviceId)) return false;
    const location = await this.directory.locate(deviceId).catch(() => undefined);
    return location !== undefined && location.replica !== this.lease.replica;
  }

  private async admit(socket: BrowserSocket, next: (error?: Error) => void): Promise<void> {
    try {
      const grant = await this.admission.redeem(socket.handshake.query);
      socket.data = grant;
      next();
    } catch (error) {
      const fault = error instanceof Fault ? error : new Fault('internal', 'Something went wrong on our side.');
      if (fault.code === 'internal') this.log.error({ err: error }, 'A terminal socket could not be admitted.');
      next(Object.assign(new Error(fault.message), { data: { code: fault.code, retryAfter: fault.retryAfter } }));
    }
  }

  private begin(socket: BrowserSocket): void {
    const terminal = new TerminalSocket(socket, socket.data as Grant, this.links);
    this.sockets.add(terminal);
    socket.once('disconnect', () => this.sockets.delete(terminal));
  }
}
