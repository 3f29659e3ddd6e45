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

/** The most bytes in one message: what has gathered goes out at once, but a keystroke's answer must fit in between. */
const MAX_MESSAGE = 256 * 1024;

const bytesIn = carried('desktop', 'in');
const bytesOut = carried('desktop', 'out');

/**
 * Raw bytes between a browser and a server on a device. Nothing is kept here: what the browser does not take stays in the stream's
 * window, and holds the server up; what the server does not take holds the browser up.
 */
export class Relay {
  /** Settles when no more bytes will come. */
  readonly done: Promise<RelayEnding>;
  private readonly ending = Promise.withResolvers<RelayEnding>();
  private ended = false;
  private held = false;

  constructor(
    private readonly stream: Duplex,
    private readonly sink: RelaySink,
  ) {
    this.done = this.ending.promise;
    stream.on('readable', () => this.pump());
    stream.on('drain', () => this.hold(false));
    stream.once('end', () => {
      this.ended = true;
      stream.end();
      this.ending.resolve('ended');
    });
    stream.once('close', () => this.ending.resolve(this.ended ? 'ended' : 'lost'));
    this.pump();
  }

  /** Sends what has gathered, as long as the socket takes it. To be called when it takes more. */
  pump(): void {
    while (!this.sink.busy()) {
      const gathered = Math.min(this.stream.readableLength, MAX_MESSAGE);
      // Also when nothing has gathered: a read is what asks for more, or finds the end.
      const bytes = this.stream.read(gathered || undefined) as Buffer | null;
      if (!bytes) return;
      bytesOut(bytes.length);
      this.sink.send(bytes);
    }
  }

  /** Bytes of the browser for the server. */
  write(bytes: Buffer): void {
    if (bytes.length === 0 || !this.stream.writable) return;
    bytesIn(bytes.length);
    if (!this.stream.write(bytes)) this.hold(true);
  }

  close(): void {
    this.stream.destroy();
  }

  private hold(held: boolean): void {
    if (held === this.held) return;
    this.held = held;
    this.sink.hold(held);
  }
}
