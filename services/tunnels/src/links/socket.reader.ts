import type { ClientHttp2Session } from 'node:http2';
import type { Reader } from './loop.shares.ts';

/** What Node keeps of the system's connection in a socket. */
interface Handle {
  readStart(): number;
  readStop(): number;
  /** Bytes that the system has not taken yet. */
  writeQueueSize: number;
}

/** Pauses the connection under an HTTP/2 session. Node reads past the socket's stream there, so only its handle can be stopped. */
export class SocketReader implements Reader {
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly session: ClientHttp2Session) {}

  /** Calls back once, when it is read on. */
  later(goOn: () => void): void {
    this.waiting.push(goOn);
  }

  pause(): void {
    this.handle()?.readStop();
  }

  resume(): void {
    const handle = this.handle();
    // While a write is in flight, Node has stopped reading too, and starts it afterwards.
    if (handle?.writeQueueSize === 0) handle.readStart();
    for (const goOn of this.waiting.splice(0)) goOn();
  }

  private handle(): Handle | undefined {
    if (this.session.destroyed) return undefined;
    return (this.session.socket as unknown as { _handle?: Handle | null } | undefined)?._handle ?? undefined;
  }
}
