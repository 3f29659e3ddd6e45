import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PtyExit } from '../system/pty.ts';
import { holdFor } from './pace.ts';
import type { TerminalSession } from './session.ts';

/** What a browser is told: output by offset, then why there is no more of it. */
export type AttachmentEvent =
  | { kind: 'data'; offset: number; data: Uint8Array<ArrayBuffer> }
  | { kind: 'exit'; exit: PtyExit }
  | { kind: 'ended'; reason: string };

/** One browser's view of a session, from the offset it asked for until it goes, is replaced, or the program exits. */
export class Attachment {
  readonly session: TerminalSession;
  readonly from: number;
  /** Offset of the next byte to send. */
  sent: number;
  /** True once the exit has been handed over. */
  complete = false;
  #ended = false;
  #reason: string | undefined;
  #wake: (() => void) | undefined;
  #lastSent = -Infinity;
  #lastSize = 0;
  #gathering = false;

  constructor(session: TerminalSession, from: number) {
    this.session = session;
    this.from = from;
    this.sent = from;
  }

  /** Something may have changed: output, credit, exit. */
  wake(): void {
    if (this.#gathering && !this.#ended && !this.session.exit && this.#sendable() < this.session.limits.message) return;
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Ends the view; with a reason, the browser is told so. The session itself goes on. */
  end(reason?: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reason = reason;
    this.wake();
    this.session.detach(this);
  }

  async *events(): AsyncGenerator<AttachmentEvent> {
    while (!this.#ended) {
      const ready = this.#sendable();
      if (ready > 0) {
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
    if (this.#reason !== undefined) yield { kind: 'ended', reason: this.#reason };
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
