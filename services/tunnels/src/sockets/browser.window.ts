import { windowFor } from '../links/stream.window.ts';

/** Bytes between PINGs: each message of a bulk transfer. */
const STEP = 32 * 1024;
/** The initial window until the path to the browser is measured. */
const FIRST_WINDOW = 256 * 1024;
const LARGEST_WINDOW = 4 << 20;
/**
 * With a shorter round trip, the bytes in flight sit in processes that handle all of them in one turn of their event loops.
 * There the window is one message while another socket is interactive.
 */
const SHORT_WAY_MS = 1;
const SHARED_WINDOW = STEP;
/** If no PING was answered by then, something on the path drops them, and nothing is bounded. */
const SILENT_MS = 10_000;
const PAYLOAD = 6;

/** The used part of a `ws` socket. */
export interface Pingable {
  ping(data: Buffer): void;
  on(event: 'pong', listener: (data: Buffer) => void): unknown;
}

interface Asked {
  /** Bytes sent before the PING. */
  sent: number;
  /** Bytes that the browser had received when it was sent. */
  had: number;
  at: number;
}

/**
 * Caps the bytes in flight to a browser at the bandwidth-delay product, as ADR 22 does towards the device. Otherwise the system buffers
 * on the path fill with megabytes, and everything else queues behind them. WebSocket PINGs measure progress: browsers answer
 * them in stream order (RFC 6455, section 5.5.2).
 */
export class BrowserWindow {
  private sent = 0;
  private had = 0;
  private size = FIRST_WINDOW;
  private shortest = Infinity;
  private asked: Asked[] = [];
  private heard = false;
  private off = false;

  /**
   * @param socket if undefined, nothing is bounded
   * @param opened called when the window opens again
   * @param othersActive whether another socket is interactive
   */
  constructor(
    private readonly socket: Pingable | undefined,
    private readonly opened: () => void,
    private readonly othersActive: () => boolean,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.off = socket === undefined;
    socket?.on('pong', (data) => this.answered(data));
  }

  /** True while the window is full. Check again when the transport drains, which happens at each heartbeat at the latest. */
  get full(): boolean {
    if (this.off || this.sent - this.had < this.bound) return false;
    const [oldest] = this.asked;
    if (!this.heard && oldest && this.now() - oldest.at > SILENT_MS) this.off = true;
    return !this.off;
  }

  /** Counts bytes given to the socket. */
  passed(bytes: number): void {
    this.sent += bytes;
    if (this.off || this.sent - (this.asked.at(-1)?.sent ?? this.had) < STEP) return;
    this.asked.push({ sent: this.sent, had: this.had, at: this.now() });
    const payload = Buffer.alloc(PAYLOAD);
    payload.writeUIntBE(this.sent, 0, PAYLOAD);
    this.socket?.ping(payload);
  }

  private get bound(): number {
    return this.shortest < SHORT_WAY_MS && this.othersActive() ? SHARED_WINDOW : this.size;
  }

  private answered(data: Buffer): void {
    const count = data.length === PAYLOAD ? data.readUIntBE(0, PAYLOAD) : -1;
    // A PONG answers all earlier PINGs too (RFC 6455, section 5.5.3); ignores unknown ones.
    const index = this.asked.findIndex(({ sent }) => sent === count);
    const answered = this.asked[index];
    if (!answered) return;
    this.asked.splice(0, index + 1);
    this.heard = true;
    this.had = count;
    this.measure(answered);
    this.opened();
  }

  private measure({ had, at }: Asked): void {
    const rtt = Math.max(this.now() - at, 0.01);
    this.shortest = Math.min(this.shortest, rtt);
    const bytesPerMs = (this.had - had) / rtt;
    this.size = windowFor({ size: this.size, bytesPerMs, rtt, shortest: this.shortest }, LARGEST_WINDOW);
  }
}
