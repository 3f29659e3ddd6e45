import type { OnReadOpts, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { bare, canBeBare, type BareSocket } from './fastpath/bare.socket.ts';
import { lendBuffer, takeBack } from './lent.buffers.ts';

/** All connections read into this buffer in turn; its content is copied before the next read. */
const common = Buffer.allocUnsafeSlow(64 * 1024);
/** A read of this many bytes marks a busy connection, which gets a private buffer instead of copying. */
const BUSY_BYTES = 8 * 1024;
/** This many such small reads in a row end that; a single one is mostly the rest of a larger read. */
const CALM_READS = 8;
const CALM_BYTES = 1024;

/** Bytes that went each way: `in` to the server, `out` to the client. */
export interface Carried {
  in: number;
  out: number;
}

/**
 * Copies bytes both ways between two connections through reused buffers. A relay on streams spends most of its time in a full GC
 * for every few hundred reads. A slow side applies backpressure to the other.
 * @param halfClosedMs how long one side may continue after the other has ended
 * @returns undefined, without any effect, where it is unsupported; otherwise a promise that resolves when both are closed
 */
export function pump(client: Duplex, server: Duplex, halfClosedMs: number): Promise<Carried> | undefined {
  if (!canBeBare(client) || !canBeBare(server)) return undefined;
  const inwards = new Way();
  const outwards = new Way();
  const left = bare(client, inwards.onread);
  const right = bare(server, outwards.onread);
  inwards.begin(left, right.socket);
  outwards.begin(right, left.socket);
  return closed(left.socket, right.socket, halfClosedMs).then(() => ({ in: inwards.bytes, out: outwards.bytes }));
}

/** One direction. */
class Way {
  bytes = 0;
  private own: Buffer | undefined;
  private calm = 0;
  private waits = false;
  private from!: Socket;
  private to!: Socket;

  readonly onread: OnReadOpts = {
    buffer: () => this.own ?? common,
    callback: (length, buffer) => this.pass(length, buffer as Buffer),
  };

  begin({ socket, rest }: BareSocket, to: Socket): void {
    this.from = socket;
    this.to = to;
    to.on('drain', () => this.drained());
    socket.once('end', () => to.end());
    socket.once('close', () => this.release());
    if (rest) {
      this.bytes += rest.length;
      to.write(rest);
    }
    socket.resume();
  }

  /** @returns false to stop reading until the bytes are written */
  private pass(length: number, buffer: Buffer): boolean {
    this.bytes += length;
    const bytes = buffer.subarray(0, length);
    this.to.write(buffer === this.own ? bytes : Buffer.from(bytes));
    // Mostly the system has accepted all of it at once, and the buffer is free again.
    this.waits = this.to.writableLength > 0;
    this.calm = length <= CALM_BYTES ? this.calm + 1 : 0;
    if (!this.own && length >= BUSY_BYTES) this.own = lendBuffer();
    else if (this.own && this.calm >= CALM_READS && !this.waits) this.release();
    return !this.waits;
  }

  private drained(): void {
    if (!this.waits) return;
    this.waits = false;
    this.from.resume();
  }

  private release(): void {
    if (this.own) takeBack(this.own, this.to.writableLength === 0);
    this.own = undefined;
  }
}

function closed(left: Socket, right: Socket, halfClosedMs: number): Promise<void> {
  return new Promise((resolve) => {
    const destroy = () => {
      left.destroy();
      right.destroy();
    };
    let timer: NodeJS.Timeout | undefined;
    let open = 2;
    for (const socket of [left, right]) {
      socket.on('error', destroy);
      socket.once('end', () => (timer ??= setTimeout(destroy, halfClosedMs).unref()));
      socket.once('close', () => {
        if (!socket.readableEnded || !socket.writableFinished) destroy();
        if (--open > 0) return;
        clearTimeout(timer);
        resolve();
      });
    }
  });
}
