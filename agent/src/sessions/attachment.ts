import { setImmediate as nextTurn } from 'node:timers/promises';
import { TerminalRefusal } from '@warren/proto/agent/v1/agent';
import type { PtyExit } from '../system/pty.ts';
import { holdFor } from './pace.ts';
import type { TerminalSession } from './session.ts';

/** What a browser is told: output by offset, then why there is no more of it. */
export type AttachmentEvent =
  | { kind: 'data'; offset: number; data: Uint8Array<ArrayBuffer> }
  | { kind: 'exit'; exit: PtyExit }
  | { kind: 'accepted'; typed: number }
  | { kind: 'ended'; reason: string; code: TerminalRefusal };

/** A browser is told what it typed after so many bytes, or so many milliseconds after the first that it was not told of. */
const ACCEPT_BYTES = 16 * 1024;
const ACCEPT_MS = 100;

/** One browser's view of a session, from the offset it asked for until it goes, is replaced, or the program exits. */
export class Attachment {
  readonly session: TerminalSession;
  readonly from: number;
  /** Under which name the session counts what is typed here; empty: it does not. */
  readonly writer: string;
  /** Offset of the next byte to send. */
  sent: number;
  /** True once the exit has been handed over. */
  complete = false;
  #ended = false;
  #reason: string | undefined;
  #code = TerminalRefusal.UNSPECIFIED;
  #told: number;
  #telling: NodeJS.Timeout | undefined;
  #mustTell = false;
  #wake: (() => void) | undefined;
  #lastSent = -Infinity;
  #lastSize = 0;
  #gathering = false;

  constructor(session: TerminalSession, from: number, writer: string) {
    this.session = session;
    this.from = from;
    this.writer = writer;
    this.sent = from;
    this.#told = session.typed.of(writer);
  }

  /** True once nothing more is to be shown or typed here. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Types `bytes`, and tells the browser in a while that they have been taken.
   * @throws SessionRefused as TerminalSession.write
   */
  type(bytes: Uint8Array): void {
    this.session.write(bytes);
    if (this.writer === '') return;
    this.session.typed.add(this.writer, bytes.length);
    if (this.session.typed.of(this.writer) - this.#told >= ACCEPT_BYTES) this.#tell();
    else this.#telling ??= setTimeout(() => this.#tell(), ACCEPT_MS);
  }

  /** Something may have changed: output, credit, exit. */
  wake(): void {
    if (this.#gathering && !this.#ended && !this.session.exit && this.#sendable() < this.session.limits.message) return;
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Ends the view; with a reason, the browser is told so. The session itself goes on. */
  end(reason?: string, code = TerminalRefusal.UNSPECIFIED): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reason = reason;
    this.#code = code;
    clearTimeout(this.#telling);
    this.wake();
    this.session.detach(this);
  }

  async *events(): AsyncGenerator<AttachmentEvent> {
    while (!this.#ended) {
      const ready = this.#sendable();
      if (this.#mustTell) {
        yield this.#accepted();
      } else if (ready > 0) {
        const hold = holdFor(ready, this.session.limits.message, this.#lastSize, performance.now() - this.#lastSent);
        if (hold > 0) await this.#gather(hold);
        else yield this.#next(ready);
      } else if (this.session.exit && this.sent === this.session.ring.end) {
        this.complete = true;
        yield { kind: 'exit', exit: this.session.exit };
        return this.end();
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        // Every read that is ready in this turn of the loop joins the same message.
        await nextTurn();
      }
    }
    if (this.#reason !== undefined) yield { kind: 'ended', reason: this.#reason, code: this.#code };
  }

  #tell(): void {
    this.#mustTell = true;
    this.wake();
  }

  #accepted(): AttachmentEvent {
    clearTimeout(this.#telling);
    this.#telling = undefined;
    this.#mustTell = false;
    this.#told = this.session.typed.of(this.writer);
    return { kind: 'accepted', typed: this.#told };
  }

  /** Waits for a full message, but no longer than `ms`. */
  async #gather(ms: number): Promise<void> {
    this.#gathering = true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#gathering = false;
  }

  #sendable(): number {
    const { ring, limits, acked } = this.session;
    return Math.min(ring.end, acked + limits.window) - this.sent;
  }

  #next(ready: number): AttachmentEvent {
    const { ring, limits } = this.session;
    const offset = this.sent;
    const data = ring.read(offset, Math.min(ready, limits.message));
    this.sent += data.length;
    this.#lastSent = performance.now();
    this.#lastSize = data.length;
    return { kind: 'data', offset, data };
  }
}
