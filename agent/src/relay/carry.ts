import { constants, type ServerHttp2Stream } from 'node:http2';
import type { OnReadOpts, Socket } from 'node:net';
import { Inflow } from './inflow.ts';

/** What a read of a busy connection takes at most. */
const BUSY_READ = 128 * 1024;
/** What one of a calm connection does; one that is full is the sign of a busy one. */
const CALM_READ = 16 * 1024;
/** Connections with a private buffer at the same time, each twice the size of a read. */
const MOST_BUSY = 64;
const MOST_KEPT = 8;

/** All calm connections read into this, one after another; what is in it is copied before the next read. */
const common = Buffer.allocUnsafeSlow(CALM_READ);
const kept: Buffer[] = [];
let busy = 0;

/**
 * What a server on this device sends, on its way into a stream: read into memory that is used again when the link has taken it.
 * A stream that takes no more holds the server up.
 */
export class Outflow {
  /** For the making of the socket. */
  readonly onread: OnReadOpts = {
    buffer: () => (this.#busy ? (kept.pop() ?? Buffer.allocUnsafeSlow(BUSY_READ)) : common),
    callback: (length, buffer) => this.#pass(length, buffer as Buffer),
  };
  readonly #stream: ServerHttp2Stream;
  #busy = false;
  #over = false;

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
  }

  /** No more will come. */
  end(): void {
    this.#over = true;
    this.#mark(false);
  }

  /** @returns false to read no more until the stream drains */
  #pass(length: number, buffer: Buffer): boolean {
    const stream = this.#stream;
    this.#mark(length >= CALM_READ);
    if (!stream.writable) return false;
    const bytes = buffer.subarray(0, length);
    if (buffer === common) return stream.write(Buffer.from(bytes));
    // A stream that was reset says that it has written what may still lie before the link, so that memory is left alone.
    return stream.write(bytes, (error) => {
      if (!error && !stream.destroyed && kept.length < MOST_KEPT) kept.push(buffer);
    });
  }

  #mark(isBusy: boolean): void {
    if (isBusy === this.#busy || (isBusy && (this.#over || busy >= MOST_BUSY))) return;
    this.#busy = isBusy;
    busy += isBusy ? 1 : -1;
  }
}

/** Either side's end is passed on to the other, which may go on; a break of one breaks the other. */
export function carry(stream: ServerHttp2Stream, socket: Socket): void {
  socket.on('error', () => stream.close(constants.NGHTTP2_CONNECT_ERROR));
  stream.once('close', () => {
    // After a clean end the socket still has to flush its writes; the server's answer has no reader any more.
    if (stream.rstCode === constants.NGHTTP2_NO_ERROR && socket.writableEnded) socket.destroySoon();
    else socket.destroy();
  });
  if (stream.destroyed) return void socket.destroy();
  closeReset(stream);
  stream.respond({ ':status': 200 });
  stream.on('drain', () => socket.resume());
  socket.once('end', () => stream.end());
  socket.resume();
  new Inflow(stream, socket);
}

/**
 * Closes a stream that the hub has reset, once all its input has been read. Otherwise, after a reset without an error, it would wait
 * until the server's output is written, which has no reader any more (RFC 9113, section 5.1).
 */
function closeReset(stream: ServerHttp2Stream): void {
  const closed = () => stream.aborted && stream.readableEnded && stream.destroy();
  stream.once('aborted', closed);
  stream.once('end', closed);
}
