import { constants, type ServerHttp2Stream } from 'node:http2';
import type { OnReadOpts, Socket } from 'node:net';
import { Inflow } from './inflow.ts';

/** The largest read of a busy connection. */
const BUSY_READ = 128 * 1024;
/** The largest read of a calm connection; a full one marks it as busy. */
const CALM_READ = 16 * 1024;
/** Connections with a private buffer at the same time, each twice the size of a read. */
const MOST_BUSY = 64;
const MOST_KEPT = 8;

/** All calm connections read into this buffer in turn; its content is copied before the next read. */
const common = Buffer.allocUnsafeSlow(CALM_READ);
const kept: Buffer[] = [];
let busy = 0;

/**
 * Relays the output of a server on this device to a stream: read into a buffer that is reused once the link has taken it.
 * A full stream applies backpressure to the server.
 */
export class Outflow {
  /** For the construction of the socket. */
  readonly onread: OnReadOpts = {
    buffer: () => (this.busy ? (kept.pop() ?? Buffer.allocUnsafeSlow(BUSY_READ)) : common),
    callback: (length, buffer) => this.pass(length, buffer as Buffer),
  };
  private readonly stream: ServerHttp2Stream;
  private busy = false;
  private over = false;

  constructor(stream: ServerHttp2Stream) {
    this.stream = stream;
  }

  /** The server's output has ended. */
  end(): void {
    this.over = true;
    this.mark(false);
  }

  /** @returns false to stop reading until the stream drains */
  private pass(length: number, buffer: Buffer): boolean {
    const stream = this.stream;
    this.mark(length >= CALM_READ);
    if (!stream.writable) return false;
    const bytes = buffer.subarray(0, length);
    if (buffer === common) return stream.write(Buffer.from(bytes));
    // A reset stream reports its writes as done although they may still be queued before the link, so the buffer is not reused.
    return stream.write(bytes, (error) => {
      if (!error && !stream.destroyed && kept.length < MOST_KEPT) kept.push(buffer);
    });
  }

  private mark(isBusy: boolean): void {
    if (isBusy === this.busy || (isBusy && (this.over || busy >= MOST_BUSY))) return;
    this.busy = isBusy;
    busy += isBusy ? 1 : -1;
  }
}

/** Each side's end is passed on to the other, which may continue; an error of one destroys the other. */
export function carry(stream: ServerHttp2Stream, socket: Socket): void {
  socket.on('error', () => stream.close(constants.NGHTTP2_CONNECT_ERROR));
  stream.once('close', () => {
    // After a clean end the socket still flushes its writes; nobody reads the server's answer.
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
 * until the server's output is written, which nobody reads (RFC 9113, section 5.1).
 */
function closeReset(stream: ServerHttp2Stream): void {
  const closed = () => stream.aborted && stream.readableEnded && stream.destroy();
  stream.once('aborted', closed);
  stream.once('end', closed);
}
