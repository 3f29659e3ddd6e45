import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** An HTTP upgrade request as Node hands it over: the socket is ours from now on. */
export interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  /** Bytes that came with the request's head. */
  head: Buffer;
}
