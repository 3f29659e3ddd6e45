import { Recording, TerminalRefusal } from '@warren/proto/agent/v1/agent';
import type { InputPlace, Keeper, Pty, PtyExit, PtySize } from '../system/pty.ts';
import type { AttachAs, TerminalEvents } from './attaching.ts';
import { Attachment } from './attachment.ts';
import { Audience } from './audience.ts';
import { TerminalRefused } from '../errors.ts';
import { InputRoom, TypedInput } from './input.ts';
import { encodeNote, type TerminalState } from './kept.ts';
import { REPLAY_SLACK, type TerminalLimits } from './limits.ts';
import { DetachTimeout } from './detach.timeout.ts';
import { RecordedOutput } from './recorded.ts';
import { ReplayRing } from './ring.ts';
import { Snapshots, type Snapshot } from './snapshots.ts';

/** The share of the replay buffer below which a program resumes that has waited for its recorder. */
const RESUME = 0.9;

/** One browser's attachment. */
export type TerminalAttachment = Attachment<Terminal>;

const NOWHERE: InputPlace = { writer: '', offset: 0 };

/**
 * One program on one PTY. It outlives the streams that show it: output is numbered and kept for later attachments, and the
 * program is paused while output is unacknowledged by the writer that reads fastest, so that it misses not a byte. Other writers, and
 * readers, skip to a snapshot of the screen when they fall behind. Where a recording is required, the program also waits for its recorder,
 * as soon as the replay buffer is full of what is not stored.
 */
export class Terminal {
  readonly id: string;
  readonly userId: string;
  readonly userEmail: string;
  /** What its person calls it; may be empty. */
  name: string;
  readonly ring: ReplayRing;
  readonly limits: TerminalLimits;
  readonly typed = new TypedInput();
  readonly timeout: DetachTimeout;
  readonly recorded: RecordedOutput;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The last time of input, an attachment or a detachment. */
  usedAt = Date.now();
  size: PtySize;
  private pty: Pty;
  private events: TerminalEvents;
  /**
   * A program that is paused by unacknowledged output must not block the acknowledgements that travel behind the input, so being
   * paused counts as room.
   */
  readonly room: InputRoom;
  private readonly audience: Audience<TerminalAttachment>;
  private readonly snapshots: Snapshots;
  private paused = false;
  private isSeen = false;
  private isClosed: boolean;
  private ptyExit: PtyExit | undefined;

  constructor(state: TerminalState, pty: Pty, limits: TerminalLimits, events: TerminalEvents) {
    this.id = state.id;
    this.userId = state.userId;
    this.userEmail = state.userEmail;
    this.name = state.name;
    this.startedAt = state.startedAt;
    this.isClosed = state.isClosed;
    this.limits = limits;
    this.size = state.size;
    this.ring = new ReplayRing(limits.replay, undefined, state.start);
    this.audience = new Audience(limits, state.seen);
    this.recorded = new RecordedOutput(limits.sizes, state);
    for (const [writer, count] of state.typed) this.typed.set(writer, count);
    this.snapshots = new Snapshots(
      this.ring,
      () => this.size,
      () => this.audience.mayNeedScreen,
    );
    this.room = new InputRoom(pty, limits, () => this.paused || this.ptyExit !== undefined || !this.attached);
    this.pty = pty;
    const onOver = () => events.deserted();
    this.timeout = new DetachTimeout({ pty, usual: limits.orphan, pin: state.pin, onOver });
    this.events = events;
    pty.onData = (bytes) => this.output(bytes);
    pty.onExit = (exit) => this.exited(exit);
    if (pty.keeper) pty.keeper.onTyped = (writer, count) => this.taken(writer, count);
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
    return this.audience.writers.count > 0;
  }

  get counts(): { writers: number; readers: number } {
    return this.audience.counts;
  }

  get pacer(): TerminalAttachment | undefined {
    return this.audience.writers.pacer;
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
    if (role === 'recorder' && !this.recorded.isRecorded) throw new TerminalRefused('this terminal is not recorded');
    this.audience.makeRoom(role, writer);
    this.record(as.record);
    // A recorder gets a snapshot in place of what has left the buffer.
    const from = role === 'recorder' ? offset : Math.max(offset, this.ring.start);
    const attachment: TerminalAttachment = new Attachment(this, { role, from, writer, size });
    this.audience.add(attachment);
    if (role === 'reader' || role === 'recorder') return attachment;
    this.usedAt = Date.now();
    this.timeout.interrupt();
    this.fit();
    this.balance();
    return attachment;
  }

  private record(mode = Recording.UNSPECIFIED): void {
    if (this.recorded.raise(mode, this.ring.start)) this.note();
  }

  /** Removes an attachment that has ended. */
  detach(attachment: TerminalAttachment): void {
    const wasWriter = this.audience.delete(attachment);
    this.snapshots.free();
    if (!wasWriter) return;
    this.usedAt = Date.now();
    this.room.release();
    this.isSeen ||= attachment.complete && attachment.acked === this.ring.end;
    this.fit();
    if (this.attached) return this.balance();
    if (this.isOver) return this.events.finished();
    this.balance();
    this.events.detached();
  }

  /** Records that the recorder has stored all output before `offset`, and the exit with the last of it. */
  store(attachment: TerminalAttachment, offset: number): void {
    if (this.audience.recorder !== attachment) return;
    this.recorded.store(Math.min(offset, attachment.sent));
    this.balance();
    if (!attachment.complete || this.recorded.stored < this.ring.end) return;
    this.recorded.finish();
    this.note();
    attachment.end();
    this.events.recorded();
    if (this.isOver && !this.attached) this.events.finished();
  }

  /** Records that the attached browser has drawn all output before `offset`. */
  acknowledge(attachment: TerminalAttachment, offset: number): void {
    if (!attachment.acknowledge(offset)) return;
    this.audience.writers.paced(attachment);
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
  write(bytes: Uint8Array, place: InputPlace = NOWHERE): void {
    if (this.ptyExit) return this.taken(place.writer, place.offset + bytes.length);
    this.usedAt = Date.now();
    this.room.claim(bytes.length);
    this.pty.write(bytes, place);
    if (!this.pty.keeper) this.taken(place.writer, place.offset + bytes.length);
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
    this.audience.writers.sizeBy(attachment, isMine);
    this.fit();
  }

  /** Ends the program as a closed terminal window does. */
  close(): void {
    this.pty.hangUp();
  }

  /** Ends the program for all but its recorder, which gets its last output from a later agent too. */
  end(): void {
    this.pty.hangUp();
    if (!this.recorded.unfinished) return;
    this.isClosed = true;
    this.note();
  }

  /** Nobody, not even a later agent, needs the output or the exit any more. */
  forget(): void {
    this.pty.keeper?.forget();
  }

  /** Leaves the program to a later agent. @returns false if it ends with this one */
  leave(): boolean {
    this.timeout.stop();
    this.keeper?.leave();
    return this.keeper !== undefined;
  }

  /** What lets the program outlive the agent; undefined if it does not. */
  get keeper(): Keeper | undefined {
    return this.pty.keeper;
  }

  /** Whether the program has ended, and nobody needs its output any more. */
  private get isOver(): boolean {
    return this.ptyExit !== undefined && this.isSeen && !this.recorded.unfinished;
  }

  /** Gives later agents what this one knows. */
  note(): void {
    const { startedAt, userId, userEmail, isClosed, name } = this;
    const { mode: record, sizes, isStored } = this.recorded;
    this.pty.keeper?.note(encodeNote({ userId, userEmail, startedAt, record, sizes, isClosed, isStored, name }));
  }

  private taken(writer: string, count: number): void {
    if (writer === '') return;
    this.typed.set(writer, count);
    this.audience.writers.taken(writer);
  }

  private output(bytes: Uint8Array): void {
    this.ring.append(bytes);
    this.balance();
    this.audience.wake();
  }

  private exited(exit: PtyExit): void {
    if (exit.why !== undefined) this.ring.append(Buffer.from(`\r\n[${exit.why}]\r\n`));
    this.ptyExit = exit;
    this.timeout.set(0);
    this.room.release();
    this.audience.wake();
  }

  /** Gives the program the size that the writers' windows have in common. */
  private fit(): void {
    const size = this.audience.writers.size;
    if (!size) return;
    if (this.size.cols === size.cols && this.size.rows === size.rows) return;
    this.size = size;
    this.recorded.resize(this.ring.end, size);
    // The note first: what it says of the size must not be older than the program's.
    if (this.recorded.isRecorded) this.note();
    if (!this.ptyExit) this.pty.resize(size);
    this.audience.resized();
  }

  /** Pauses or resumes the program's output according to the unacknowledged bytes. */
  private balance(): void {
    const { pacer, seen } = this.audience.writers;
    const kept = this.limits.replay - REPLAY_SLACK;
    const limit = pacer ? pacer.window.size : kept;
    const acked = pacer ? pacer.acked : seen;
    const unacked = this.ring.end - acked;
    const unstored = this.recorded.unstored(this.ring.end);
    this.pty.keeper?.seen(Math.min(acked, this.ring.end - unstored));
    if (!this.paused && (unacked >= limit || unstored >= kept)) {
      this.paused = true;
      this.pty.pause();
      this.room.release();
    } else if (this.paused && unacked <= limit / 2 && unstored <= kept * RESUME) {
      this.paused = false;
      this.pty.resume();
    }
  }
}
