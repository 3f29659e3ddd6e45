import { TerminalRefusal } from '@warren/proto/agent/v1/agent';
import type { PtyExit } from '../system/pty.ts';
import type { TerminalLimits } from './limits.ts';
import type { ReplayRing } from './ring.ts';
import type { TypedInput } from './typed.ts';

/** Events of an attachment: output by offset, then the reason of its end. */
export type AttachmentEvent =
  | { kind: 'data'; offset: number; data: Uint8Array<ArrayBuffer> }
  | { kind: 'exit'; exit: PtyExit }
  | { kind: 'accepted'; typed: number }
  | { kind: 'ended'; reason: string; code: TerminalRefusal };

/** The terminal from the view of its attachments. */
interface Attachable {
  readonly ring: ReplayRing;
  readonly limits: TerminalLimits;
  readonly typed: TypedInput;
  /** Output up to this offset may be in flight to the browser. */
  readonly allowed: number;
  readonly exit: PtyExit | undefined;
  write(bytes: Uint8Array): void;
  detach(attachment: unknown): void;
}

/** Typed bytes are acknowledged after this many, or this many milliseconds after the first unacknowledged one. */
const ACCEPT_BYTES = 16 * 1024;
const ACCEPT_MS = 20;

/** One browser's attachment to a terminal, from the requested offset until it leaves, is replaced, or the program exits. */
export class Attachment<Target extends Attachable> {
  readonly terminal: Target;
  readonly from: number;
  /** The screen's name under which the terminal counts its input; if empty, the input is not counted. */
  readonly writer: string;
  /** Offset of the next byte to send. */
  sent: number;
  /** True once the exit has been delivered. */
  complete = false;
  /** Set by the owner: called when an event may be available. */
  onChange: () => void = () => {};
  private hasEnded = false;
  private reason: string | undefined;
  private code = TerminalRefusal.UNSPECIFIED;
  private acknowledged: number;
  private telling: NodeJS.Timeout | undefined;
  private mustTell = false;

  constructor(terminal: Target, from: number, writer: string) {
    this.terminal = terminal;
    this.from = from;
    this.writer = writer;
    this.sent = from;
    this.acknowledged = terminal.typed.of(writer);
  }

  /** True once it accepts no more input and shows no more output. */
  get ended(): boolean {
    return this.hasEnded;
  }

  /** Bytes of output that may be sent now. */
  get pending(): number {
    const { ring, allowed } = this.terminal;
    return this.hasEnded ? 0 : Math.min(ring.end, allowed) - this.sent;
  }

  /** True when the attachment has ended and all its events are taken. */
  get over(): boolean {
    return this.hasEnded && this.reason === undefined;
  }

  /**
   * Types `bytes`, and acknowledges them to the browser with a delay.
   * @throws TerminalRefused as Terminal.write
   */
  type(bytes: Uint8Array): void {
    this.terminal.write(bytes);
    if (this.writer === '') return;
    this.terminal.typed.add(this.writer, bytes.length);
    if (this.terminal.typed.of(this.writer) - this.acknowledged >= ACCEPT_BYTES) this.tell();
    else this.telling ??= setTimeout(() => this.tell(), ACCEPT_MS);
  }

  /** Output, credit or exit may have changed. */
  wake(): void {
    this.onChange();
  }

  /** Ends the attachment, with a reason for the browser if given. The terminal keeps running. */
  end(reason?: string, code = TerminalRefusal.UNSPECIFIED): void {
    if (this.hasEnded) return;
    this.reason = reason;
    this.code = code;
    this.finish();
    this.wake();
  }

  /** Returns the next event, if any. */
  take(): AttachmentEvent | undefined {
    const { exit, ring } = this.terminal;
    const pending = this.pending;
    if (this.mustTell && !this.hasEnded) return this.accepted();
    if (pending > 0) return this.data(pending);
    if (this.hasEnded) return this.farewell();
    if (!exit || this.sent < ring.end) return undefined;
    this.complete = true;
    this.finish();
    return { kind: 'exit', exit };
  }

  private finish(): void {
    this.hasEnded = true;
    clearTimeout(this.telling);
    this.terminal.detach(this);
  }

  private tell(): void {
    this.mustTell = true;
    this.wake();
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
