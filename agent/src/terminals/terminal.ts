import { TerminalRefusal } from '@warren/proto/agent/v1/agent';
import type { Pty, PtyExit, PtySize } from '../system/pty.ts';
import { Attachment } from './attachment.ts';
import { TerminalRefused } from '../errors.ts';
import { REPLAY_SLACK, type TerminalLimits } from './limits.ts';
import { ReplayRing } from './ring.ts';
import { TypedInput } from './typed.ts';
import { OutputWindow } from './window.ts';

/** Events of a terminal for its registry. */
export interface TerminalEvents {
  /** The last attachment is gone. */
  detached(): void;
  /** The program has ended, and the browser has taken its output and exit. */
  finished(): void;
}

/** One browser's attachment. */
export type TerminalAttachment = Attachment<Terminal>;

/**
 * One program on one PTY. It outlives the stream that shows it: output is numbered and kept for later attachments, and the
 * program is paused while output is unacknowledged, so that not a byte is lost.
 */
export class Terminal {
  readonly id: string;
  readonly userId: string;
  readonly ring: ReplayRing;
  readonly limits: TerminalLimits;
  readonly typed = new TypedInput();
  /** Milliseconds since 1970. */
  readonly startedAt = Date.now();
  /** The last time of input, an attachment or a detachment. */
  usedAt = this.startedAt;
  size: PtySize = { cols: 0, rows: 0 };
  private pty: Pty;
  private events: TerminalEvents;
  private attachment: TerminalAttachment | undefined;
  private acked = 0;
  private window: OutputWindow;
  private paused = false;
  private ptyExit: PtyExit | undefined;
  private waiting: (() => void)[] = [];

  constructor(id: string, userId: string, pty: Pty, limits: TerminalLimits, events: TerminalEvents) {
    this.id = id;
    this.userId = userId;
    this.limits = limits;
    this.ring = new ReplayRing(limits.replay);
    this.window = new OutputWindow(limits, 0);
    this.pty = pty;
    this.events = events;
    pty.onData = (bytes) => this.output(bytes);
    pty.onWritable = () => this.release();
    pty.onExit = (exit) => this.exited(exit);
  }

  get exit(): PtyExit | undefined {
    return this.ptyExit;
  }

  /** The process started on the terminal. */
  get pid(): number {
    return this.pty.pid;
  }

  get attached(): boolean {
    return this.attachment !== undefined;
  }

  /** Output up to this offset may be in flight to the browser. */
  get allowed(): number {
    return this.acked + this.window.size;
  }

  /**
   * Attaches one more browser, which takes over from the former one.
   * @param offset next byte that the browser wants
   * @param writer the screen's name for itself, under which its input is counted
   * @throws TerminalRefused when no such byte has been written yet
   */
  attach(offset: number, writer = ''): TerminalAttachment {
    if (offset > this.ring.end) {
      const reason = `offset ${offset} lies beyond the terminal's output, which ends at ${this.ring.end}`;
      throw new TerminalRefused(reason, TerminalRefusal.OFFSET);
    }
    const takenOver = 'this terminal was taken over by another window';
    this.attachment?.end(takenOver, TerminalRefusal.TAKEN_OVER);
    this.usedAt = Date.now();
    const from = Math.max(offset, this.ring.start);
    this.acked = from;
    this.window = new OutputWindow(this.limits, from);
    this.attachment = new Attachment(this, from, writer);
    this.balance();
    return this.attachment;
  }

  detach(attachment: TerminalAttachment): void {
    if (this.attachment !== attachment) return;
    this.attachment = undefined;
    this.usedAt = Date.now();
    this.release();
    if (this.ptyExit && attachment.complete && this.acked === this.ring.end) return this.events.finished();
    this.balance();
    this.events.detached();
  }

  /** The attached browser has drawn all output before `offset`. */
  acknowledge(attachment: TerminalAttachment, offset: number): void {
    if (this.attachment !== attachment || offset <= this.acked) return;
    this.acked = Math.min(offset, attachment.sent);
    this.window.drawn(this.acked);
    attachment.wake();
    this.balance();
  }

  /**
   * Types `bytes`.
   * @throws TerminalRefused when the limit of pending input is reached because the program does not read
   */
  write(bytes: Uint8Array): void {
    if (this.ptyExit) return;
    this.usedAt = Date.now();
    if (this.pty.backlog + bytes.length > this.limits.inputMax) {
      throw new TerminalRefused(
        `the program does not read its input: more than ${this.limits.inputMax} bytes are waiting`,
        TerminalRefusal.INPUT_FULL,
      );
    }
    this.pty.write(bytes);
  }

  /**
   * False while more input should wait. A program that is paused by unacknowledged output must not block the
   * acknowledgements that travel behind the input, so being paused also counts as welcome.
   */
  get welcomesInput(): boolean {
    return this.pty.backlog <= this.limits.input || this.paused || this.ptyExit !== undefined || !this.attachment;
  }

  /** Settles when more input is welcome. */
  async inputRoom(): Promise<void> {
    while (!this.welcomesInput) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  resize(size: PtySize): void {
    this.size = size;
    if (!this.ptyExit) this.pty.resize(size);
  }

  /** Ends the program as a closed terminal window does. */
  close(): void {
    this.pty.hangUp();
  }

  private output(bytes: Uint8Array): void {
    this.ring.append(bytes);
    this.balance();
    this.attachment?.wake();
  }

  private exited(exit: PtyExit): void {
    if (exit.why !== undefined) this.ring.append(Buffer.from(`\r\n[${exit.why}]\r\n`));
    this.ptyExit = exit;
    this.release();
    this.attachment?.wake();
  }

  /** Pauses or resumes the program's output according to the unacknowledged bytes. */
  private balance(): void {
    const limit = this.attachment ? this.window.size : this.limits.replay - REPLAY_SLACK;
    const unacked = this.ring.end - this.acked;
    if (!this.paused && unacked >= limit) {
      this.paused = true;
      this.pty.pause();
      this.release();
    } else if (this.paused && unacked <= limit / 2) {
      this.paused = false;
      this.pty.resume();
    }
  }

  private release(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
