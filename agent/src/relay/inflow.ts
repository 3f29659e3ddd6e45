import { readInto } from '@warren/transport/fastpath/read.into';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { shortLived } from '../system/short.lived.ts';

/** The largest piece that HTTP/2 hands over. */
const FRAME = 16 * 1024;
/** What the hub sends is given to the server in writes of at most this much, while more of it comes in the same turn. */
const GATHERED = 128 * 1024;
/** A first piece of a turn that is smaller than this is likely a whole message, and is passed on at once. */
const SMALL = 4 * 1024;
/** So many small pieces in a row are the sign that not much comes any more. */
const CALM_READS = 8;
/** Connections with a private buffer at the same time. */
const MOST_BUSY = 64;

/** All connections of which little comes are read into this, one after another; what is in it is copied before the next read. */
const common = Buffer.allocUnsafeSlow(FRAME);
let busy = 0;

/**
 * What the hub sends, on its way to a server: HTTP/2 gives it in frames of 16 KiB, and those that come in one turn of the event loop leave
 * in one write, from memory that is used again when the system has taken them. A server that takes no more holds the stream up.
 */
export class Inflow {
  readonly #stream: ServerHttp2Stream;
  readonly #socket: Socket;
  readonly #readOn: () => void;
  #memory: Buffer | undefined;
  #from = 0;
  #to = 0;
  #calm = 0;
  #flushing = false;
  #stopped = false;

  constructor(stream: ServerHttp2Stream, socket: Socket) {
    this.#stream = stream;
    this.#socket = socket;
    socket.on('drain', () => this.#drained());
    socket.once('close', () => this.#leave());
    stream.once('end', () => {
      this.#flush();
      socket.end();
    });
    this.#readOn = this.#begin();
  }

  /** @returns how to read on after a stop */
  #begin(): () => void {
    const stream = this.#stream;
    const readOn = readInto(stream, {
      buffer: () => this.#room(),
      callback: (length, memory) => this.#take(length, memory),
    });
    if (readOn) return readOn;
    stream.on('data', (piece: Buffer) => {
      shortLived(piece.length);
      if (!this.#take(piece.length, piece)) stream.pause();
    });
    return () => stream.resume();
  }

  /** For the next piece; asked behind each one. */
  #room(): Buffer {
    const memory = this.#memory;
    if (!memory) return common;
    if (this.#from === this.#to && this.#calm >= CALM_READS) {
      this.#leave();
      return common;
    }
    if (memory.length - this.#to < FRAME) this.#turnOver();
    return (this.#memory ?? common).subarray(this.#to);
  }

  /** @returns false to read no more */
  #take(length: number, memory: Buffer): boolean {
    this.#calm = length < SMALL ? this.#calm + 1 : 0;
    const alone = length < SMALL && this.#from === this.#to && !this.#flushing;
    if (this.#memory?.buffer === memory.buffer) this.#to += length;
    else if (alone || !this.#lend()) this.#write(Buffer.from(memory.subarray(0, length)));
    else this.#put(memory.subarray(0, length));
    if (alone) this.#flush();
    else if (!this.#flushing) {
      this.#flushing = true;
      setImmediate(() => {
        this.#flushing = false;
        this.#flush();
      });
    }
    return !this.#stopped;
  }

  /** Copies a piece into the batch. */
  #put(bytes: Buffer): void {
    for (let at = 0; at < bytes.length && this.#memory;) {
      if (this.#to === this.#memory.length) this.#turnOver();
      const copied = bytes.copy(this.#memory, this.#to, at);
      this.#to += copied;
      at += copied;
    }
  }

  #flush(): void {
    if (!this.#memory || this.#from === this.#to) return;
    this.#write(this.#memory.subarray(this.#from, this.#to));
    this.#from = this.#to;
  }

  /** Mostly the system has taken all of it at once, whatever the stream says of its bounds. */
  #write(bytes: Buffer): void {
    if (!this.#socket.write(bytes) && this.#socket.writableLength > 0) this.#stopped = true;
  }

  #drained(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#readOn();
  }

  /** The memory from its beginning, or other memory where some of it still waits for the system. */
  #turnOver(): void {
    this.#flush();
    if (this.#socket.writableLength > 0) this.#memory = Buffer.allocUnsafeSlow(GATHERED);
    this.#from = this.#to = 0;
  }

  /** @returns whether the connection has a private buffer */
  #lend(): boolean {
    if (this.#memory) return true;
    if (busy >= MOST_BUSY || this.#socket.closed) return false;
    busy++;
    this.#memory = Buffer.allocUnsafeSlow(GATHERED);
    this.#from = this.#to = 0;
    return true;
  }

  #leave(): void {
    if (this.#memory) busy--;
    this.#memory = undefined;
    this.#from = this.#to = 0;
  }
}
