import type { ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';

/** The largest window of a stream, and the initial one until the path is measured. */
export const LARGEST_WINDOW = 1 << 20;
export const SMALLEST_WINDOW = 64 * 1024;
/** With a short round trip, busy processes at both ends need this long to answer. */
const TURN_MS = 20;
const TURN_BYTES = 256 * 1024;
/** Busy processes at both ends look like a queue this short: smaller windows would only slow them down. */
const QUEUE_MS = 60;
const LOOK_MS = 250;
/** Fewer bytes between two measurements say nothing about the path. */
const CALM_BYTES = 64 * 1024;

/** Applies windows to a link's streams. */
export interface WindowHolder {
  readonly window: { size: number; largest: number };
  resize(size: number): void;
}

/**
 * Keeps the windows of a link's streams at twice the bandwidth-delay product of the path to the device, as BBR does
 * (draft-ietf-ccwg-bbr). More would not be faster; it would queue in system buffers, where a keystroke of another stream must wait
 * behind it.
 */
export class StreamWindow {
  /** The shortest round trip so far, milliseconds: longer ones are mostly queueing. */
  private shortest = Infinity;
  private open = 0;
  private timer: NodeJS.Timeout | undefined;
  private before = { bytes: 0, at: 0 };

  /**
   * @param held the link's windows
   * @param ping starts a round-trip measurement, which calls `heard`
   */
  constructor(
    private readonly session: ClientHttp2Session,
    private readonly held: WindowHolder,
    private readonly ping: () => Promise<number | undefined>,
  ) {}

  /** Measures the link while this stream is open. */
  watch(stream: Duplex): void {
    if (stream.closed) return;
    this.open++;
    stream.once('close', () => {
      if (--this.open === 0) clearInterval(this.timer);
    });
    if (this.open > 1) return;
    this.measured();
    this.timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  /** Records a round trip. */
  heard(rtt: number): void {
    this.shortest = Math.min(this.shortest, rtt);
  }

  private async look(): Promise<void> {
    const { bytes, ms } = this.measured();
    if (bytes < CALM_BYTES) return;
    const rtt = await this.ping();
    if (rtt === undefined || this.session.destroyed) return;
    const { size, largest } = this.held.window;
    const wanted = windowFor({ size, bytesPerMs: bytes / ms, rtt, shortest: this.shortest }, largest);
    if (wanted !== size) this.held.resize(wanted);
  }

  private measured(): { bytes: number; ms: number } {
    const { bytes, at } = this.before;
    this.before = { bytes: this.session.socket?.bytesRead ?? bytes, at: performance.now() };
    return { bytes: this.before.bytes - bytes, ms: this.before.at - at };
  }
}

/** Measurements of a path during a transfer. */
interface Measured {
  size: number;
  bytesPerMs: number;
  /** The last and the shortest round trip. */
  rtt: number;
  shortest: number;
}

/** The next window: a power of two. It shrinks only when a queue forms; a slow sender proves nothing, as it does not fill the path. */
export function windowFor({ size, bytesPerMs, rtt, shortest }: Measured, largest = LARGEST_WINDOW): number {
  const wanted = Math.max(2 * bytesPerMs * shortest, Math.min(bytesPerMs * TURN_MS, TURN_BYTES));
  const queued = rtt > 2 * shortest && rtt - shortest > QUEUE_MS;
  if (wanted <= size && !queued) return size;
  const power = 2 ** Math.ceil(Math.log2(wanted));
  return Math.min(Math.max(power, SMALLEST_WINDOW), largest);
}
