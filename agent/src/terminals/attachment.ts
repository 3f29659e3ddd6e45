import { TerminalRefusal } from '@warren/proto/agent/v1/agent';
import { TerminalRefused } from '../errors.ts';
import type { InputPlace, PtyExit, PtySize } from '../system/pty.ts';
import type { TerminalLimits } from './limits.ts';
import type { RecordedOutput } from './recorded.ts';
import type { ReplayRing } from './ring.ts';
import type { Snapshot } from './snapshots.ts';
import type { TypedInput } from './input.ts';
import { OutputWindow, RECORDER_AHEAD_MS } from './window.ts';

/** Events of an attachment: output by offset, then the reason of its end. */
export type AttachmentEvent =
  | { kind: 'data'; offset: number; data: Uint8Array<ArrayBuffer> }
  | { kind: 'snapshot'; snapshot: Snapshot }
  | { kind: 'size'; size: PtySize }
  | { kind: 'exit'; exit: PtyExit }
  | { kind: 'accepted'; typed: number }
  | { kind: 'ended'; reason: string; code: TerminalRefusal };

/** How an attachment uses its terminal: `only` takes over from all writers, `writer` joins them, `reader` reads, `recorder` stores. */
export type AttachmentRole = 'only' | 'writer' | 'reader' | 'recorder';

/** The parts of an attachment. */
export interface AttachmentOptions {
  role: AttachmentRole;
  /** Offset of its first byte. */
  from: number;
  /** The screen's name under which the terminal counts its input; if empty, the input is not counted. */
  writer: string;
  /** The window of a writer; undefined for a reader. */
  size: PtySize | undefined;
}

/** The terminal from the view of its attachments. */
interface Attachable {
  readonly ring: ReplayRing;
  readonly limits: TerminalLimits;
  readonly typed: TypedInput;
  readonly exit: PtyExit | undefined;
  readonly size: PtySize;
  readonly recorded: RecordedOutput;
  /** The writer whose acknowledgements set the program's pace. */
  readonly pacer: unknown;
  write(bytes: Uint8Array, place: InputPlace): void;
  detach(attachment: unknown): void;
  takeSnapshot(): Promise<Snapshot | undefined>;
}

/** Typed bytes are acknowledged after this many, or this many milliseconds after the first unacknowledged one. */
const ACCEPT_BYTES = 16 * 1024;
const ACCEPT_MS = 20;

/** A cursor over a terminal's output with a window, from the requested offset until it leaves, is replaced, or the program exits. */
export class Attachment<Target extends Attachable> {
  readonly terminal: Target;
  readonly role: AttachmentRole;
  readonly from: number;
  readonly writer: string;
  readonly window: OutputWindow;
  size: PtySize | undefined;
  /** Offset of the next byte to send. */
  sent: number;
  /** The browser has drawn all output before this offset. */
  acked: number;
  /** True once the exit has been delivered. */
  complete = false;
  /** Set by the owner: called when an event may be available. */
  onChange: () => void = () => {};
  private hasEnded = false;
  private reason: string | undefined;
  private code = TerminalRefusal.UNSPECIFIED;
  private acknowledged: number;
  /** Count of what this writer has typed, also of what its terminal has not taken yet. */
  private typedTo: number;
  private telling: NodeJS.Timeout | undefined;
  private mustTell = false;
  private mustResize = false;
  private snapshot: Snapshot | undefined;
  private isSkipping = false;
  /** The last change of the size that a recorder has got. */
  private sizeChange = 0;

  constructor(terminal: Target, { role, from, writer, size }: AttachmentOptions) {
    const { limits, typed } = terminal;
    this.terminal = terminal;
    this.role = role;
    this.from = from;
    this.writer = writer;
    this.size = size;
    this.sent = from;
    this.acked = from;
    const window = role === 'reader' ? limits.readerWindow : limits.window;
    const aheadMs = role === 'recorder' ? RECORDER_AHEAD_MS : undefined;
    this.window = new OutputWindow({ window, largestWindow: limits.largestWindow }, from, undefined, aheadMs);
    this.acknowledged = this.typedTo = typed.of(writer);
    this.sizeChange = terminal.recorded.at(from)?.number ?? 0;
  }

  /** True once it accepts no more input and shows no more output. */
  get ended(): boolean {
    return this.hasEnded;
  }

  /** Output up to this offset may be in flight to the browser. */
  get allowed(): number {
    return this.acked + this.window.size;
  }

  /** Bytes of output that may be sent now. */
  get pending(): number {
    const { ring } = this.terminal;
    if (this.hasEnded || this.isSkipping || this.sent < ring.start) return 0;
    return Math.max(0, Math.min(ring.end, this.allowed, this.resizedAt ?? Infinity) - this.sent);
  }

  /** Offset of the next change of the size, which a recorder gets in its place. */
  private get resizedAt(): number | undefined {
    return this.role === 'recorder' ? this.terminal.recorded.after(this.sizeChange)?.offset : undefined;
  }

  /** True when the attachment has ended and all its events are taken. */
  get over(): boolean {
    return this.hasEnded && this.reason === undefined;
  }

  /**
   * Types `bytes`. Once they can't be lost, they are acknowledged to the browser.
   * @throws TerminalRefused as Terminal.write
   */
  type(bytes: Uint8Array): void {
    this.terminal.write(bytes, { writer: this.writer, offset: this.typedTo });
    this.typedTo += bytes.length;
  }

  /** Acknowledges to the browser, with a delay, that the terminal has taken more of its input. */
  taken(): void {
    if (this.hasEnded) return;
    if (this.terminal.typed.of(this.writer) - this.acknowledged >= ACCEPT_BYTES) this.tell();
    else this.telling ??= setTimeout(() => this.tell(), ACCEPT_MS);
  }

  /** Checks what the attachment may send, after output, credit or exit have changed. */
  wake(): void {
    if (this.role !== 'only' && !this.isSkipping && this.isBehind()) this.skip();
    this.onChange();
  }

  /** Records that the browser has drawn all output before `offset`. @returns false if that is no news */
  acknowledge(offset: number): boolean {
    if (this.hasEnded || offset <= this.acked) return false;
    this.acked = Math.min(offset, this.sent);
    this.window.drawn(this.acked);
    return true;
  }

  /** Tells the browser that the terminal has another size. */
  resized(): void {
    if (this.role === 'only') return;
    this.mustResize = this.role !== 'recorder';
    this.onChange();
  }

  /** Ends the attachment, with a reason for the browser if given. The terminal keeps running. */
  end(reason?: string, code = TerminalRefusal.UNSPECIFIED): void {
    if (this.hasEnded) return;
    this.reason = reason;
    this.code = code;
    this.finish();
    this.onChange();
  }

  /** Returns the next event, if any. */
  take(): AttachmentEvent | undefined {
    const pending = this.pending;
    if (this.mustTell && !this.hasEnded) return this.accepted();
    if (this.mustResize && !this.hasEnded) return this.newSize();
    if (this.snapshot && !this.hasEnded) return this.skipped(this.snapshot);
    if (pending > 0) return this.data(pending);
    if (this.hasEnded) return this.farewell();
    if ((this.resizedAt ?? Infinity) <= this.sent) return this.sizeInPlace();
    return this.exited();
  }

  /** The exit, once all output is sent. */
  private exited(): AttachmentEvent | undefined {
    const { exit, ring } = this.terminal;
    if (!exit || this.complete || this.sent < ring.end || this.isSkipping) return undefined;
    this.complete = true;
    // A recorder leaves when it has stored the exit.
    if (this.role !== 'recorder') this.finish();
    return { kind: 'exit', exit };
  }

  private finish(): void {
    this.hasEnded = true;
    clearTimeout(this.telling);
    this.terminal.detach(this);
  }

  /** Whether a snapshot is due. The writer that sets the pace and the recorder get every byte that the buffer has. */
  private isBehind(): boolean {
    const { ring, limits, pacer } = this.terminal;
    if (this.hasEnded || this.sent > this.allowed) return false;
    if (this.sent < ring.start) return true;
    return ring.end - this.sent > limits.behind && pacer !== this && this.role !== 'recorder';
  }

  private skip(): void {
    this.isSkipping = true;
    this.terminal.takeSnapshot().then(
      (snapshot) => {
        if (this.hasEnded) return;
        // One that was begun for another attachment may be older than what this one has.
        const isNewer = snapshot !== undefined && snapshot.offset > this.sent;
        this.snapshot = isNewer ? snapshot : undefined;
        this.isSkipping = isNewer;
        this.wake();
      },
      (error: unknown) => {
        if (this.role === 'recorder') this.continueAt(this.terminal.ring.start);
        else if (error instanceof TerminalRefused) this.end(error.message, error.code);
        else this.end(`the agent could not draw the screen: ${String(error)}`);
      },
    );
  }

  private skipped(snapshot: Snapshot): AttachmentEvent {
    this.snapshot = undefined;
    this.skipTo(snapshot.offset);
    // The snapshot has the size of its moment.
    this.sizeChange = Math.max(this.sizeChange, this.terminal.recorded.at(this.sent)?.number ?? 0);
    return { kind: 'snapshot', snapshot };
  }

  /** Continues at a later offset, without the output before it. */
  private skipTo(offset: number): void {
    this.isSkipping = false;
    this.sent = Math.max(this.sent, offset);
  }

  private continueAt(offset: number): void {
    this.skipTo(offset);
    this.wake();
  }

  private sizeInPlace(): AttachmentEvent {
    const { recorded, size } = this.terminal;
    const next = recorded.after(this.sizeChange);
    this.sizeChange = next?.number ?? this.sizeChange;
    return { kind: 'size', size: next?.size ?? size };
  }

  private newSize(): AttachmentEvent {
    this.mustResize = false;
    return { kind: 'size', size: this.terminal.size };
  }

  private tell(): void {
    this.mustTell = true;
    this.onChange();
  }

  private accepted(): AttachmentEvent {
    clearTimeout(this.telling);
    this.telling = undefined;
    this.mustTell = false;
    this.acknowledged = this.terminal.typed.of(this.writer);
    return { kind: 'accepted', typed: this.acknowledged };
  }

  private data(pending: number): AttachmentEvent {
    const { ring, limits } = this.terminal;
    const offset = this.sent;
    const data = ring.read(offset, Math.min(pending, limits.message));
    this.sent += data.length;
    return { kind: 'data', offset, data };
  }

  private farewell(): AttachmentEvent | undefined {
    const reason = this.reason;
    this.reason = undefined;
    return reason === undefined ? undefined : { kind: 'ended', reason, code: this.code };
  }
}
