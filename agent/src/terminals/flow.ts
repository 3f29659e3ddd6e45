import type { AttachmentEvent } from './attachment.ts';
import type { TerminalAttachment } from './terminal.ts';
import { holdFor } from './pace.ts';

/** The outlet of an attachment's events. */
export interface Outlet {
  /** False while output is buffered. */
  readonly ready: boolean;
  take(event: AttachmentEvent): void;
  /** The last event has been sent. */
  finish(): void;
}

/** Sends an attachment's events to an outlet: at once at a low rate, batched at a high one, never more than it accepts. */
export class Flow {
  private readonly attachment: TerminalAttachment;
  private readonly outlet: Outlet;
  private lastSent = -Infinity;
  private lastSize = 0;
  private timer: NodeJS.Timeout | undefined;
  private finished = false;

  constructor(attachment: TerminalAttachment, outlet: Outlet) {
    this.attachment = attachment;
    this.outlet = outlet;
    attachment.onChange = () => this.pump();
  }

  /** To be called when the outlet has drained. */
  pump(): void {
    while (!this.finished && this.outlet.ready && !this.holds()) {
      const event = this.attachment.take();
      if (event) this.pass(event);
      if (this.attachment.over) return this.finish();
      if (!event) return;
    }
  }

  /** Waits for output that will soon be more. */
  private holds(): boolean {
    const { pending, terminal } = this.attachment;
    if (pending === 0 || terminal.exit) return false;
    const hold = holdFor(pending, terminal.limits.message, this.lastSize, performance.now() - this.lastSent);
    if (hold === 0) return false;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.pump();
    }, hold);
    return true;
  }

  private pass(event: AttachmentEvent): void {
    if (event.kind === 'data') {
      this.lastSent = performance.now();
      this.lastSize = event.data.length;
    }
    this.outlet.take(event);
  }

  private finish(): void {
    this.finished = true;
    clearTimeout(this.timer);
    this.outlet.finish();
  }
}
