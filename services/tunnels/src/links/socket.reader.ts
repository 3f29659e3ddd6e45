import { pauseSession, resumeSession } from '@warren/transport/fastpath/session.pause';
import type { ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Reader } from './loop.shares.ts';

/** What feeds the socket of a link, and of its session, where reading can't be paused by the socket itself. */
const sources = new WeakMap<Duplex | ClientHttp2Session, Duplex>();

/** Names the stream that feeds the socket of a link. */
export function feed(socket: Duplex, source: Duplex): void {
  sources.set(socket, source);
}

/** Tells a session what feeds the socket that it runs on. */
export function feedSession(session: ClientHttp2Session, socket: Duplex): void {
  const source = sources.get(socket);
  if (source) sources.set(session, source);
}

/** Pauses the connection under an HTTP/2 session: by what feeds its socket where that is known, else by the socket itself. */
export class SocketReader implements Reader {
  private readonly waiting: (() => void)[] = [];
  private readonly source: Duplex | undefined;

  constructor(private readonly session: ClientHttp2Session) {
    this.source = sources.get(session);
  }

  /** Calls back once, when it is read on. */
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
