import type { ClientHttp2Session } from 'node:http2';
import { Allowance } from './allowance.ts';

const LOOK_MS = 500;
/** Bytes of a link beside its payload: agents bring a few hundred for each stream, and a PING now and then. */
const OVERHEAD = { perSecond: 512 * 1024, burst: 4 << 20 };
const FRAME_HEAD = 9;

/** One timer for all links: a fleet's would cost more than their looks do. */
const looked = new Set<Overhead>();
let timer: NodeJS.Timeout | undefined;

/** Counts the bytes of a link that are no payload: Node exposes WINDOW_UPDATE, RST_STREAM and ignored frames in no other way. */
export class Overhead {
  private readonly allowance: Allowance;
  private explained = 0;
  private before: number;

  /** @param exceeded called when there were too many */
  constructor(
    private readonly session: ClientHttp2Session,
    private readonly exceeded: () => void,
    now?: () => number,
  ) {
    this.allowance = new Allowance(OVERHEAD.perSecond, OVERHEAD.burst, now);
    this.before = session.socket?.bytesRead ?? 0;
    looked.add(this);
    timer ??= setInterval(() => looked.forEach((one) => one.look()), LOOK_MS).unref();
    session.once('close', () => this.stop());
  }

  /** A DATA frame has come. */
  frame(bytes: number): void {
    this.explained += bytes + FRAME_HEAD;
  }

  /** Expects this many bytes that no stream will report. */
  expect(bytes: number): void {
    this.explained += bytes;
  }

  look(): void {
    if (this.session.destroyed) return this.stop();
    const came = this.session.socket?.bytesRead ?? this.before;
    const overhead = came - this.before - this.explained;
    this.before = came;
    // What was expected may come later.
    this.explained = Math.max(0, -overhead);
    if (overhead > 0 && !this.allowance.take(overhead)) this.exceeded();
  }

  private stop(): void {
    looked.delete(this);
    if (looked.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
}
