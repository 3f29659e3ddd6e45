import { readInto } from '@warren/transport/fastpath/read.into';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { shortLived } from '../system/short.lived.ts';

/** The largest piece that HTTP/2 hands over. */
const FRAME = 16 * 1024;
/** The largest write to the server while more input arrives in the same turn. */
const COALESCED = 128 * 1024;
/** A first piece of a turn that is smaller than this is likely a whole message, and is passed on at once. */
const SMALL = 4 * 1024;
/** This many small pieces in a row mark a calm connection. */
const CALM_READS = 8;
/** Connections with a private buffer at the same time. */
const MOST_BUSY = 64;

/** All calm connections are read into this buffer in turn; its content is copied before the next read. */
const common = Buffer.allocUnsafeSlow(FRAME);
let busy = 0;

/**
 * Relays the hub's input to a server. HTTP/2 delivers frames of 16 KiB; those of one turn of the event loop leave in one write,
 * from a buffer that is reused once the system has taken it. A slow server applies backpressure to the stream.
 */
export class Inflow {
  private readonly stream: ServerHttp2Stream;
  private readonly socket: Socket;
  private readonly readOn: () => void;
  private memory: Buffer | undefined;
  private from = 0;
  private to = 0;
  private calm = 0;
  private flushing = false;
  private stopped = false;

  constructor(stream: ServerHttp2Stream, socket: Socket) {
    this.stream = stream;
    this.socket = socket;
    socket.on('drain', () => this.drained());
    socket.once('close', () => this.leave());
    stream.once('end', () => {
      this.flush();
      socket.end();
    });
    this.readOn = this.begin();
  }

  /** @returns a function that resumes reading */
  private begin(): () => void {
    const stream = this.stream;
    const readOn = readInto(stream, {
      buffer: () => this.room(),
      callback: (length, memory) => this.take(length, memory),
    });
    if (readOn) return readOn;
    stream.on('data', (piece: Buffer) => {
      shortLived(piece.length);
      if (!this.take(piece.length, piece)) stream.pause();
    });
    return () => stream.resume();
  }

  /** Called after each piece, to prepare for the next. */
  private room(): Buffer {
    const memory = this.memory;
    if (!memory) return common;
    if (this.from === this.to && this.calm >= CALM_READS) {
      this.leave();
      return common;
    }
    if (memory.length - this.to < FRAME) this.turnOver();
    return (this.memory ?? common).subarray(this.to);
  }

  /** @returns false to stop reading */
  private take(length: number, memory: Buffer): boolean {
    this.calm = length < SMALL ? this.calm + 1 : 0;
    const alone = length < SMALL && this.from === this.to && !this.flushing;
    if (this.memory?.buffer === memory.buffer) this.to += length;
    else if (alone || !this.lend()) this.write(Buffer.from(memory.subarray(0, length)));
    else this.put(memory.subarray(0, length));
    if (alone) this.flush();
    else if (!this.flushing) {
      this.flushing = true;
      setImmediate(() => {
        this.flushing = false;
        this.flush();
      });
    }
    return !this.stopped;
  }

  /** Copies a piece into the batch. */
  private put(bytes: Buffer): void {
    for (let at = 0; at < bytes.length && this.memory;) {
      if (this.to === this.memory.length) this.turnOver();
      const copied = bytes.copy(this.memory, this.to, at);
      this.to += copied;
      at += copied;
    }
  }

  private flush(): void {
    if (!this.memory || this.from === this.to) return;
    this.write(this.memory.subarray(this.from, this.to));
    this.from = this.to;
  }

  /** Usually the system has accepted all of it at once, even above the stream's high-water mark. */
  private write(bytes: Buffer): void {
    if (!this.socket.write(bytes) && this.socket.writableLength > 0) this.stopped = true;
  }

  private drained(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.readOn();
  }

  /** The buffer from its start, or another one while some of it still waits for the system. */
  private turnOver(): void {
    this.flush();
    if (this.socket.writableLength > 0) this.memory = Buffer.allocUnsafeSlow(COALESCED);
    this.from = this.to = 0;
  }

  /** @returns whether the connection has a private buffer */
  private lend(): boolean {
    if (this.memory) return true;
    if (busy >= MOST_BUSY || this.socket.closed) return false;
    busy++;
    this.memory = Buffer.allocUnsafeSlow(COALESCED);
    this.from = this.to = 0;
    return true;
  }

  private leave(): void {
    if (this.memory) busy--;
    this.memory = undefined;
    this.from = this.to = 0;
  }
}
