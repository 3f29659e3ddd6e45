import { pauseSession, resumeSession } from '@warren/transport/fastpath/session.pause';
import type { ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Reader } from './loop.shares.ts';

/** The stream that feeds a link's socket and session, where pausing the socket does not stop reading. */
const sources = new WeakMap<Duplex | ClientHttp2Session, Duplex>();

/** Registers the stream that feeds the socket of a link. */
export function feed(socket: Duplex, source: Duplex): void {
  sources.set(socket, source);
}

/** Registers the same stream for the session on that socket. */
export function feedSession(session: ClientHttp2Session, socket: Duplex): void {
  const source = sources.get(socket);
  if (source) sources.set(session, source);
}

/** Pauses the connection under an HTTP/2 session: through the stream that feeds its socket if there is one, else through the socket. */
export class SocketReader implements Reader {
  private readonly waiting: (() => void)[] = [];
  private readonly source: Duplex | undefined;

  constructor(private readonly session: ClientHttp2Session) {
    this.source = sources.get(session);
  }

  /** Calls back once, when reading resumes. */
  later(goOn: () => void): void {
    this.waiting.push(goOn);
  }

  pause(): void {
    if (this.source) this.source.pause();
    else pauseSession(this.session);
  }

  resume(): void {
    if (this.source) this.source.resume();
    else resumeSession(this.session);
    for (const goOn of this.waiting.splice(0)) goOn();
  }
}
