import { constants, type ServerHttp2Stream } from 'node:http2';
import net, { type OnReadOpts, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { carry, Outflow } from './carry.ts';
import { targetOf, TargetRefused, type Target } from './target.ts';

/** Limits of relays. Tests pass smaller ones. */
export interface RelayLimits {
  /** Connections open at once on this device. */
  open: number;
  /** The milliseconds for a server to accept. */
  connect: number;
}

export const RELAY_LIMITS: RelayLimits = { open: 256, connect: 5_000 };

/** Characters of a percent-encoded e-mail. */
const USER_MAX = 1_000;

/** The response to a failed CONNECT: its status states the reason (RFC 9110, section 15). */
const STATUS = { invalid: 400, not_allowed: 403, refused: 502, busy: 503, timeout: 504 } as const;
type Problem = keyof typeof STATUS;

/** Connections of the hub to servers on this device: raw bytes both ways (RFC 9113, section 8.5). */
export class Relays {
  private readonly log: Logger;
  private readonly limits: RelayLimits;
  private opened = 0;

  constructor(log: Logger, limits: RelayLimits = RELAY_LIMITS) {
    this.log = log;
    this.limits = limits;
  }

  /** Open and pending connections. */
  get open(): number {
    return this.opened;
  }

  /**
   * Answers a CONNECT, and relays bytes until both sides have ended or one has broken.
   * @param user e-mail of the person, percent-encoded; empty if the hub names none
   */
  serve(stream: ServerHttp2Stream, authority: string, user = ''): void {
    stream.on('error', () => {});
    let target: Target;
    try {
      target = targetOf(authority);
    } catch (error) {
      if (!(error instanceof TargetRefused)) throw error;
      return this.refuse(stream, error.kind, error.message);
    }
    if (this.opened >= this.limits.open) {
      return this.refuse(stream, 'busy', `${this.opened} connections are open, which is the most`);
    }
    this.connect(stream, target, user);
  }

  private connect(stream: ServerHttp2Stream, target: Target, user: string): void {
    this.opened++;
    const outflow = new Outflow(stream);
    const socket = open(target, outflow.onread);
    const gone = () => socket.destroy();
    stream.once('close', gone);
    const late = setTimeout(() => {
      this.refuse(stream, 'timeout', `port ${target.port} did not accept in ${this.limits.connect} ms`);
      socket.destroy();
    }, this.limits.connect);
    const failed = (error: Error) => this.refuse(stream, 'refused', error.message || `port ${target.port} is closed`);
    socket.once('error', failed);
    socket.once('close', () => {
      clearTimeout(late);
      outflow.end();
      this.opened--;
    });
    socket.once('connect', () => {
      clearTimeout(late);
      socket.off('error', failed);
      stream.off('close', gone);
      if (user !== '') this.note(socket, user.slice(0, USER_MAX), target.port);
      carry(stream, socket);
    });
  }

  private note(socket: Socket, user: string, port: number): void {
    this.log.info({ user: plain(user), port }, 'connection opened');
    socket.once('close', () => this.log.info({ user: plain(user), port }, 'connection closed'));
  }

  private refuse(stream: ServerHttp2Stream, problem: Problem, reason: string): void {
    this.log.debug({ problem, reason }, 'a connection was not made');
    if (stream.destroyed || stream.headersSent) return;
    stream.respond({ ':status': STATUS[problem] }, { endStream: true });
    // The hub's side is not awaited.
    stream.close(constants.NGHTTP2_NO_ERROR);
  }
}

/** A name that is not percent-encoded is kept as it is. */
function plain(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}

function open({ addresses, port }: Target, onread: OnReadOpts): Socket {
  const [host = ''] = addresses;
  const options = { port, allowHalfOpen: true, noDelay: true, onread };
  if (addresses.length === 1) return net.connect({ ...options, host });
  const all = addresses.map((address) => ({ address, family: net.isIPv6(address) ? 6 : 4 }));
  return net.connect({
    ...options,
    host: 'localhost',
    autoSelectFamily: true,
    lookup: (_host, _options, answer) => answer(null, all),
  });
}
