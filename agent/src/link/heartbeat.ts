import type { ServerHttp2Session } from 'node:http2';

/** Timeouts of a link in milliseconds. Tests pass shorter ones. */
export interface HeartbeatLimits {
  /** From the hub's PING, sent every 8.2 s, to the agent's own. */
  expected: number;
  /** Bounds of the timeout of the agent's PING. */
  answer: number;
  slowest: number;
}

const HEARTBEAT: HeartbeatLimits = { expected: 8_400, answer: 900, slowest: 6_000 };

/** The timeout is this multiple of the longest round trip so far. */
const PATIENCE = 4;

/**
 * Detects a dead link that was never closed, for example after a NAT dropped its state. The hub's PINGs prove the link alive at no
 * extra cost; the agent pings only when one is late, and gives up without an answer.
 */
export class Heartbeat {
  private readonly session: ServerHttp2Session;
  private readonly bytesRead: () => number;
  private readonly onSilent: () => void;
  private readonly limits: HeartbeatLimits;
  private readonly due: NodeJS.Timeout;
  private late: NodeJS.Timeout | undefined;
  private longest = 0;
  private stopped = false;

  constructor(
    session: ServerHttp2Session,
    bytesRead: () => number,
    onSilent: () => void,
    limits: HeartbeatLimits = HEARTBEAT,
  ) {
    this.session = session;
    this.bytesRead = bytesRead;
    this.onSilent = onSilent;
    this.limits = limits;
    this.due = setTimeout(() => this.ask(), limits.expected);
    session.on('ping', () => this.heard());
    // Measures the round trip before it is needed.
    session.once('remoteSettings', () => this.ping());
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.due);
    clearTimeout(this.late);
  }

  private heard(): void {
    if (this.stopped) return;
    clearTimeout(this.late);
    this.late = undefined;
    this.due.refresh();
  }

  private ask(): void {
    const before = this.bytesRead();
    const { answer, slowest } = this.limits;
    const patience = Math.min(slowest, Math.max(answer, PATIENCE * this.longest));
    this.ping();
    // After a blocked event loop, read what has arrived first.
    this.late = setTimeout(() => setImmediate(() => this.judge(before)), patience);
  }

  /** The PING's answer may queue behind other output. */
  private judge(before: number): void {
    if (this.stopped || !this.late) return;
    if (this.bytesRead() === before) this.onSilent();
    else this.heard();
  }

  private ping(): void {
    if (this.session.destroyed) return;
    this.session.ping((error, duration) => {
      if (error) return;
      this.longest = Math.max(this.longest, duration);
      if (this.late) this.heard();
    });
  }
}
