import type { Duplex } from 'node:stream';
import { carried } from '../telemetry/carried.ts';

/** The browser's side of a relay. */
export interface RelaySink {
  /** True while what was sent has not left this process. */
  busy(): boolean;
  send(bytes: Buffer): void;
  /** Stops or goes on reading from the browser. */
  hold(held: boolean): void;
}

/** How a relay ended: the server closed, or the way to it broke. */
export type RelayEnding = 'ended' | 'lost';

/** What goes out in one message: all that has gathered, but a keystroke's answer must fit in between. */
const FULL = 256 * 1024;
/** A piece of fewer bytes before which nothing waits is likely a message of its own, and is sent at once. */
const SMALL = 4 * 1024;

/** Bytes of the browser that may wait for the link: a stop after each message would cost more than passing it on. */
const AHEAD = 256 * 1024;

const bytesIn = carried('desktop', 'in');
const bytesOut = carried('desktop', 'out');

/**
 * Raw bytes between a browser and a server on a device. One message is kept here: what else the browser does not take stays in the
 * stream's window, and holds the server up; what the server does not take holds the browser up.
 */
export class Relay {
  /** Settles when no more bytes will come. */
  readonly done: Promise<RelayEnding>;
  private readonly ending = Promise.withResolvers<RelayEnding>();
  private gathered: Buffer[] = [];
  private length = 0;
  private waiting = false;
  private ended = false;
  private held = false;

  constructor(
    private readonly stream: Duplex,
    private readonly sink: RelaySink,
  ) {
    this.done = this.ending.promise;
    stream.on('data', (piece: Buffer) => this.gather(piece));
    stream.on('drain', () => this.hold(false));
    stream.once('end', () => {
      // A stream that was destroyed says so too.
      if (stream.destroyed) return;
      this.ended = true;
      stream.end();
      this.pump();
    });
    // What came before a proper end may still wait for the browser.
    stream.once('close', () => this.ended || this.ending.resolve('lost'));
  }

  /** Sends what has gathered, if the socket takes it. To be called when it takes more. */
  pump(): void {
    if (this.length > 0) {
      if (this.sink.busy()) return;
      this.send();
    }
    if (this.ended) this.ending.resolve('ended');
    else if (this.stream.isPaused()) this.stream.resume();
  }

  /** The frames of one read, 16 KiB each, come one by one in the same turn of the event loop: as one message they cost a fraction. */
  private gather(piece: Buffer): void {
    this.gathered.push(piece);
    this.length += piece.length;
    const alone = this.length < SMALL && !this.waiting;
    if (alone || this.length >= FULL) this.pump();
    // Held up by the browser, whose readiness calls for the rest.
    if (this.length >= FULL) return void this.stream.pause();
    if (this.length === 0 || this.waiting) return;
    this.waiting = true;
    setImmediate(() => {
      this.waiting = false;
      this.pump();
    });
  }

  private send(): void {
    const { gathered, length } = this;
    this.gathered = [];
    this.length = 0;
    bytesOut(length);
    this.sink.send(gathered.length === 1 ? (gathered[0] as Buffer) : Buffer.concat(gathered, length));
  }

  /** Bytes of the browser for the server. */
  write(bytes: Buffer): void {
    if (bytes.length === 0 || !this.stream.writable) return;
    bytesIn(bytes.length);
    if (!this.stream.write(bytes) && this.stream.writableLength >= AHEAD) this.hold(true);
  }

  close(): void {
    this.ending.resolve(this.ended ? 'ended' : 'lost');
    this.stream.destroy();
  }

  private hold(held: boolean): void {
    if (held === this.held) return;
    this.held = held;
    this.sink.hold(held);
  }
}
