import type { Duplex } from 'node:stream';
import { LENT_BYTES } from '@warren/transport/lent.buffers';
import { readInto } from '@warren/transport/fastpath/read.into';
import { shortLived } from '@warren/transport/short.lived';
import { carried } from '../sockets/carried.ts';
import { Collected, FRAME, type Piece } from './collected.ts';

/** The browser's side of a relay. */
export interface RelaySink {
  /** True while what was sent has not left this process. */
  busy(): boolean;
  /** The bytes must stay as they are until it is not busy any more. */
  send(bytes: Buffer): void;
  /** Pauses or resumes reading from the browser. */
  hold(held: boolean): void;
}

/** How a relay ended: the server closed, or the way to it broke. */
export type RelayEnding = 'ended' | 'lost';

/** With this many bytes buffered, sends without batching more; the rest of the slab still fits another message. */
const ENOUGH = LENT_BYTES - FRAME;
/** With so many bytes waiting, no more are read. */
const FULL = 256 * 1024;
/** A smaller piece with an empty queue is likely a complete message, and is sent at once. */
const SMALL = 4 * 1024;

/** Bytes of the browser that may wait for the link: a stop after each message would cost more than passing it on. */
const AHEAD = 256 * 1024;

const bytesIn = carried('desktop', 'in');
const bytesOut = carried('desktop', 'out', 0);

/**
 * Raw bytes between a browser and a server on a device. A few messages are kept here: what else the browser does not take stays in the
 * stream's window, and holds the server up; what the server does not take holds the browser up.
 */
export class Relay {
  /** Settles when no more bytes will come. */
  readonly done: Promise<RelayEnding>;
  private readonly ending = Promise.withResolvers<RelayEnding>();
  private readonly collected = new Collected();
  private readonly readOn: () => void;
  private sending: Piece | undefined;
  private stopped = false;
  private waiting = false;
  private ended = false;
  private held = false;

  /** @param took called with the bytes of each frame that was read past the stream's buffer */
  constructor(
    private readonly stream: Duplex,
    private readonly sink: RelaySink,
    private readonly took: (bytes: number) => void = () => {},
  ) {
    this.done = this.ending.promise;
    this.readOn = this.begin();
    stream.on('drain', () => this.hold(false));
    stream.once('end', () => {
      // A stream that was destroyed says so too.
      if (stream.destroyed) return;
      this.ended = true;
      stream.end();
      this.pump();
    });
    // What came before a proper end may still wait for the browser.
    stream.once('close', () => this.ended || this.finish('lost'));
  }

  /** Sends the batched bytes if the socket accepts them. Call again when it becomes writable. */
  pump(): void {
    const { collected, sink } = this;
    while (!sink.busy()) {
      this.sending?.sent(true);
      this.sending = collected.take();
      if (!this.sending) break;
      const { bytes } = this.sending;
      bytesOut(bytes.length);
      sink.send(bytes);
    }
    if (this.ended && collected.length === 0) this.finish('ended');
    if (!this.stopped || collected.length >= FULL) return;
    this.stopped = false;
    this.readOn();
  }

  /** Bytes of the browser for the server. */
  write(bytes: Buffer): void {
    if (bytes.length === 0 || !this.stream.writable) return;
    bytesIn(bytes.length);
    if (!this.stream.write(bytes) && this.stream.writableLength >= AHEAD) this.hold(true);
  }

  close(): void {
    this.stream.destroy();
    this.finish(this.ended ? 'ended' : 'lost');
  }

  /** @returns how to read on after a stop */
  private begin(): () => void {
    const { stream, collected } = this;
    const readOn = readInto(stream, {
      buffer: () => collected.room(),
      callback: (length, memory) => {
        collected.read(length, memory);
        this.took(length);
        return this.arrived();
      },
    });
    if (readOn) return readOn;
    stream.on('data', (piece: Buffer) => {
      shortLived(piece.length);
      collected.add(piece);
      if (!this.arrived()) stream.pause();
    });
    return () => stream.resume();
  }

  /**
   * The frames of one read, 16 KiB each, come one by one in the same turn of the event loop: sent together they cost a fraction.
   * @returns false to read no more
   */
  private arrived(): boolean {
    const { collected } = this;
    const alone = collected.length < SMALL && !this.waiting;
    if (alone || collected.length >= ENOUGH) this.pump();
    // Backpressure from the browser: its next drain pumps the rest.
    this.stopped = collected.length >= FULL;
    if (this.stopped || this.waiting) return !this.stopped;
    // Also behind a small piece that was sent: others of this turn go together.
    this.waiting = true;
    setImmediate(() => {
      this.waiting = false;
      this.pump();
    });
    return true;
  }

  private finish(how: RelayEnding): void {
    this.ending.resolve(how);
    this.sending?.sent(false);
    this.sending = undefined;
    this.collected.discard();
  }

  private hold(held: boolean): void {
    if (held === this.held) return;
    this.held = held;
    this.sink.hold(held);
  }
}
