import type { Duplex } from 'node:stream';
import { LENT_BYTES } from '@warren/transport/lent.buffers';
import { readInto } from '@warren/transport/fastpath/read.into';
import { shortLived } from '@warren/transport/short.lived';
import { carried } from '../sockets/carried.ts';
import { Collected, FRAME, type Piece } from './collected.ts';

/** The browser's side of a relay. */
export interface RelaySink {
  /** True while sent bytes wait in this process. */
  busy(): boolean;
  /** Sends bytes, which must not change until it is no longer busy. */
  send(bytes: Buffer): void;
  /** Pauses or resumes reading from the browser. */
  hold(held: boolean): void;
}

/** Records what the server sends, before the browser gets it. */
export interface RelayTap {
  /** Copies bytes. @returns false to stop reading until `resume` is called */
  take(bytes: Buffer): boolean;
}

/** How a relay ended: the server closed, or the connection to it broke. */
export type RelayEnding = 'ended' | 'lost';

/** With this many bytes buffered, sends without batching more; the rest of the slab still fits another message. */
const ENOUGH = LENT_BYTES - FRAME;
/** High-water mark: with this many bytes buffered, reading stops. */
const FULL = 256 * 1024;
/** A smaller piece with an empty queue is likely a complete message, and is sent at once. */
const SMALL = 4 * 1024;

/** Bytes of the browser that may wait for the link: a pause after each message would cost more than forwarding it. */
const AHEAD = 256 * 1024;

const bytesIn = carried('desktop', 'in');
const bytesOut = carried('desktop', 'out', 0);

/**
 * Relays raw bytes between a browser and a server on a device. It buffers a few messages: further bytes stay in the stream's window,
 * which applies backpressure to the server. Bytes that the server does not accept apply it to the browser.
 */
export class Relay {
  /** Resolves when no more bytes will come. */
  readonly done: Promise<RelayEnding>;
  private readonly ending = Promise.withResolvers<RelayEnding>();
  private readonly collected = new Collected();
  private readonly readOn: () => void;
  private sending: Piece | undefined;
  private stopped = false;
  private waiting = false;
  private ended = false;
  private held = false;
  /** Whether reading waits for the tap. */
  private tapped = false;

  /**
   * @param took called with the bytes of each frame that was read past the stream's buffer
   * @param tap undefined where nothing is recorded
   */
  constructor(
    private readonly stream: Duplex,
    private readonly sink: RelaySink,
    private readonly took: (bytes: number) => void = () => {},
    private readonly tap?: RelayTap,
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
    // Bytes from before a clean end may still wait for the browser.
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
    if (!this.stopped || this.tapped || collected.length >= FULL) return;
    this.stopped = false;
    this.readOn();
  }

  /** The tap takes more again. */
  resume(): void {
    this.tapped = false;
    this.pump();
  }

  /** Writes bytes of the browser to the server. */
  write(bytes: Buffer): void {
    if (bytes.length === 0 || !this.stream.writable) return;
    bytesIn(bytes.length);
    if (!this.stream.write(bytes) && this.stream.writableLength >= AHEAD) this.hold(true);
  }

  close(): void {
    this.stream.destroy();
    this.finish(this.ended ? 'ended' : 'lost');
  }

  /** @returns a function that resumes reading */
  private begin(): () => void {
    const { stream, collected } = this;
    const readOn = readInto(stream, {
      buffer: () => collected.room(),
      callback: (length, memory) => {
        if (this.tap) this.tapped = !this.tap.take(memory.subarray(0, length));
        collected.read(length, memory);
        this.took(length);
        return this.arrived();
      },
    });
    if (readOn) return readOn;
    stream.on('data', (piece: Buffer) => {
      shortLived(piece.length);
      if (this.tap) this.tapped = !this.tap.take(piece);
      collected.add(piece);
      if (!this.arrived()) stream.pause();
    });
    return () => stream.resume();
  }

  /**
   * Batches the frames of one read, 16 KiB each, which arrive one by one in the same turn of the event loop: that costs a fraction.
   * @returns false to stop reading
   */
  private arrived(): boolean {
    const { collected } = this;
    const alone = collected.length < SMALL && !this.waiting;
    if (alone || collected.length >= ENOUGH) this.pump();
    // Backpressure from the browser: its next drain pumps the rest.
    this.stopped = this.tapped || collected.length >= FULL;
    if (this.waiting || collected.length >= FULL) return !this.stopped;
    // Also after a small piece was sent: others of this turn are batched.
    this.waiting = true;
    setImmediate(() => {
      this.waiting = false;
      this.pump();
    });
    return !this.stopped;
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
