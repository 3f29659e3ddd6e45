import { Recording, TerminalRefusal } from '@warren/proto/agent/v1/agent';
import type { Pty, PtyExit, PtySize } from '../system/pty.ts';
import type { AttachAs, TerminalEvents } from './attaching.ts';
import { Attachment, type AttachmentRole } from './attachment.ts';
import { TerminalRefused } from '../errors.ts';
import { REPLAY_SLACK, type TerminalLimits } from './limits.ts';
import { RecordedOutput } from './recorded.ts';
import { ReplayRing } from './ring.ts';
import { Snapshots, type Snapshot } from './snapshots.ts';
import { TypedInput } from './typed.ts';
import { Writers } from './writers.ts';

/** The share of the replay buffer below which a program resumes that has waited for its recorder. */
const RESUME = 0.9;

/** One browser's attachment. */
export type TerminalAttachment = Attachment<Terminal>;

/**
 * One program on one PTY. It outlives the streams that show it: output is numbered and kept for later attachments, and the
 * program is paused while output is unacknowledged by the writer that reads fastest, so that it misses not a byte. Other writers, and
 * readers, skip to a snapshot of the screen when they fall behind. Where a recording is required, the program also waits for its recorder,
 * as soon as the replay buffer is full of what is not stored.
 */
export class Terminal {
  readonly id: string;
  readonly userId: string;
  readonly ring: ReplayRing;
  readonly limits: TerminalLimits;
  readonly typed = new TypedInput();
  readonly recorded: RecordedOutput;
  /** Milliseconds since 1970. */
  readonly startedAt = Date.now();
  /** The last time of input, an attachment or a detachment. */
  usedAt = this.startedAt;
  size: PtySize = { cols: 0, rows: 0 };
  private pty: Pty;
  private events: TerminalEvents;
  private readonly writers: Writers<TerminalAttachment>;
  private readonly readers = new Set<TerminalAttachment>();
  private recorder: TerminalAttachment | undefined;
  private readonly snapshots: Snapshots;
  private paused = false;
  private isSeen = false;
  private ptyExit: PtyExit | undefined;
  private waiting: (() => void)[] = [];

  constructor(id: string, userId: string, pty: Pty, limits: TerminalLimits, events: TerminalEvents) {
    this.id = id;
    this.userId = userId;
    this.limits = limits;
    this.ring = new ReplayRing(limits.replay);
    this.writers = new Writers();
    this.recorded = new RecordedOutput(limits.sizes);
    this.snapshots = new Snapshots(
      this.ring,
      () => this.size,
      () => this.readers.size > 0 || this.writers.count > 1 || this.recorder !== undefined,
    );
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

  /** Whether a writer is attached. */
  get attached(): boolean {
    return this.writers.count > 0;
  }

  get counts(): { writers: number; readers: number } {
    return { writers: this.writers.count, readers: this.readers.size };
  }

  get pacer(): TerminalAttachment | undefined {
    return this.writers.pacer;
  }

  /**
   * Attaches one more browser: in place of all writers, beside them, or as a reader. Or the recorder, in place of a former one.
   * @param offset next byte that the browser wants
   * @throws TerminalRefused when no such byte has been written yet, or there are too many writers or readers
   */
  attach(offset: number, as: AttachAs = {}): TerminalAttachment {
    const { writer = '', role = 'only', size } = as;
    if (offset > this.ring.end) {
      const reason = `offset ${offset} lies beyond the terminal's output, which ends at ${this.ring.end}`;
      throw new TerminalRefused(reason, TerminalRefusal.OFFSET);
    }
    this.makeRoom(role, writer);
    this.recorded.raise(as.record ?? Recording.UNSPECIFIED, this.ring.start);
    // A recorder gets a snapshot in place of what has left the buffer.
    const from = role === 'recorder' ? offset : Math.max(offset, this.ring.start);
    const attachment: TerminalAttachment = new Attachment(this, { role, from, writer, size });
    if (role === 'reader') this.readers.add(attachment);
    else if (role === 'recorder') this.recorder = attachment;
    else this.admit(attachment);
    return attachment;
  }

  /** Takes the size of a new terminal. */
  begin(size: PtySize): void {
    this.size = size;
    this.recorded.resize(0, size);
  }

  /** Removes an attachment that has ended. */
  detach(attachment: TerminalAttachment): void {
    this.readers.delete(attachment);
    if (this.recorder === attachment) this.recorder = undefined;
    const wasWriter = this.writers.delete(attachment);
    this.snapshots.free();
    if (!wasWriter) return;
    this.usedAt = Date.now();
    this.release();
    this.isSeen ||= attachment.complete && attachment.acked === this.ring.end;
    this.fit();
    if (this.attached) return this.balance();
    if (this.isOver) return this.events.finished();
    this.balance();
    this.events.detached();
  }

  /** Records that the recorder has stored all output before `offset`, and the exit with the last of it. */
  store(attachment: TerminalAttachment, offset: number): void {
    if (this.recorder !== attachment) return;
    this.recorded.store(Math.min(offset, attachment.sent));
    this.balance();
    if (!attachment.complete || this.recorded.stored < this.ring.end) return;
    this.recorded.finish();
    attachment.end();
    this.events.recorded();
    if (this.isOver && !this.attached) this.events.finished();
  }

  /** Records that the attached browser has drawn all output before `offset`. */
  acknowledge(attachment: TerminalAttachment, offset: number): void {
    if (!attachment.acknowledge(offset)) return;
    this.writers.paced(attachment);
    attachment.wake();
    this.balance();
  }

  /** Takes a snapshot of the screen. @throws TerminalRefused if it is too large */
  takeSnapshot(): Promise<Snapshot | undefined> {
    return this.snapshots.take();
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
    return this.pty.backlog <= this.limits.input || this.paused || this.ptyExit !== undefined || !this.attached;
  }

  /** Settles when more input is welcome. */
  async inputRoom(): Promise<void> {
    while (!this.welcomesInput) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Takes another size of a writer's window. */
  resize(attachment: TerminalAttachment, size: PtySize): void {
    attachment.size = size;
    this.fit();
    // A browser that has drawn its new size learns that the terminal has another one.
    if (this.size.cols !== size.cols || this.size.rows !== size.rows) attachment.resized();
  }

  /** Lets this writer's window set the size, or the smallest window again. */
  sizeBy(attachment: TerminalAttachment, isMine: boolean): void {
    this.writers.sizeBy(attachment, isMine);
    this.fit();
  }

  /** Ends the program as a closed terminal window does. */
  close(): void {
    this.pty.hangUp();
  }

  /** Whether the program has ended, and nobody needs its output any more. */
  private get isOver(): boolean {
    return this.ptyExit !== undefined && this.isSeen && !this.recorded.unfinished;
  }

  private makeRoom(role: AttachmentRole, writer: string): void {
    if (role === 'recorder') return this.replaceRecorder();
    const takenOver = 'this terminal was taken over by another window';
    // A screen that reconnects replaces its own attachment, whose break may not be known yet.
    if (role !== 'reader')
      this.writers.end(role === 'only' ? undefined : writer, takenOver, TerminalRefusal.TAKEN_OVER);
    const { writers, readers } = this.limits;
    const most = role === 'reader' ? readers : writers;
    const count = role === 'reader' ? this.readers.size : this.writers.count;
    if (count < most) return;
    throw new TerminalRefused(`this terminal has ${count} ${role}s, which is the most it allows`, TerminalRefusal.FULL);
  }

  private replaceRecorder(): void {
    if (this.recorded.mode === Recording.UNSPECIFIED) throw new TerminalRefused('this terminal is not recorded');
    this.recorder?.end('another recorder has this terminal now', TerminalRefusal.TAKEN_OVER);
  }

  private admit(attachment: TerminalAttachment): void {
    this.usedAt = Date.now();
    this.writers.add(attachment);
    this.fit();
    this.balance();
  }

  private output(bytes: Uint8Array): void {
    this.ring.append(bytes);
    this.balance();
    this.wake();
  }

  private exited(exit: PtyExit): void {
    if (exit.why !== undefined) this.ring.append(Buffer.from(`\r\n[${exit.why}]\r\n`));
    this.ptyExit = exit;
    this.release();
    this.wake();
  }

  /** Writers first: a reader never delays an echo. */
  private wake(): void {
    this.writers.wake();
    for (const reader of this.readers) reader.wake();
    this.recorder?.wake();
  }

  /** Gives the program the size that the writers' windows have in common. */
  private fit(): void {
    const size = this.writers.size;
    if (!size) return;
    if (this.size.cols === size.cols && this.size.rows === size.rows) return;
    this.size = size;
    if (!this.ptyExit) this.pty.resize(size);
    this.recorded.resize(this.ring.end, size);
    for (const attachment of [...this.writers.all, ...this.readers]) attachment.resized();
    this.recorder?.wake();
  }

  /** Pauses or resumes the program's output according to the unacknowledged bytes. */
  private balance(): void {
    const { pacer, seen } = this.writers;
    const kept = this.limits.replay - REPLAY_SLACK;
    const limit = pacer ? pacer.window.size : kept;
    const unacked = this.ring.end - (pacer ? pacer.acked : seen);
    const unstored = this.recorded.unstored(this.ring.end);
    if (!this.paused && (unacked >= limit || unstored >= kept)) {
      this.paused = true;
      this.pty.pause();
      this.release();
    } else if (this.paused && unacked <= limit / 2 && unstored <= kept * RESUME) {
      this.paused = false;
      this.pty.resume();
    }
  }

  private release(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
