import type { TerminalRefusal } from '@warren/proto/agent/v1/agent';
import type { PtySize } from '../system/pty.ts';
import type { AttachmentRole } from './attachment.ts';

/** What the writers of a terminal need of each. */
export interface Writer {
  readonly role: AttachmentRole;
  readonly writer: string;
  readonly acked: number;
  readonly size: PtySize | undefined;
  end(reason: string, code: TerminalRefusal): void;
  taken(): void;
  wake(): void;
}

/** The writers of a terminal: which one sets the program's pace, and which size they have in common. */
export class Writers<W extends Writer> {
  private readonly attached = new Set<W>();
  private fastest: W | undefined;
  private sizer: W | undefined;
  private last: number;

  /** @param seen offset that writers have drawn before */
  constructor(seen = 0) {
    this.last = seen;
  }

  get count(): number {
    return this.attached.size;
  }

  get all(): Iterable<W> {
    return this.attached;
  }

  /** The writer whose acknowledgements set the program's pace: the one that has drawn most, or one that can't skip output. */
  get pacer(): W | undefined {
    return this.fastest;
  }

  /** Offset that a writer had drawn when the last one left. */
  get seen(): number {
    return this.last;
  }

  /** The smallest columns and rows of all windows, or the window of the writer that sets the size; undefined without one. */
  get size(): PtySize | undefined {
    if (this.sizer?.size) return this.sizer.size;
    const sizes = [...this.attached].flatMap(({ size }) => size ?? []);
    if (sizes.length === 0) return undefined;
    return { cols: Math.min(...sizes.map(({ cols }) => cols)), rows: Math.min(...sizes.map(({ rows }) => rows)) };
  }

  add(writer: W): void {
    if (this.attached.size === 0) this.last = 0;
    this.attached.add(writer);
    this.choose();
  }

  /** @returns false if it is none of them */
  delete(writer: W): boolean {
    if (!this.attached.delete(writer)) return false;
    if (this.sizer === writer) this.sizer = undefined;
    this.last = Math.max(this.last, writer.acked);
    if (this.fastest === writer) this.choose();
    return true;
  }

  /** A writer has drawn more. */
  paced(writer: W): void {
    const { fastest } = this;
    if (!fastest || fastest === writer || fastest.role === 'only' || !this.attached.has(writer)) return;
    if (writer.acked > fastest.acked) this.fastest = writer;
  }

  /** Lets the window of a writer set the size, until it leaves or gives that up. */
  sizeBy(writer: W, isMine: boolean): void {
    if (isMine && this.attached.has(writer)) this.sizer = writer;
    else if (!isMine) this.sizer = undefined;
  }

  /** Ends the writers of this name, which may not be empty; undefined means all of them. */
  end(name: string | undefined, reason: string, code: TerminalRefusal): void {
    for (const one of [...this.attached]) {
      if (name === undefined || (name !== '' && one.writer === name)) one.end(reason, code);
    }
  }

  /** The terminal has taken more input of this writer. */
  taken(name: string): void {
    for (const one of this.attached) if (one.writer === name) one.taken();
  }

  wake(): void {
    for (const writer of this.attached) writer.wake();
  }

  private choose(): void {
    this.fastest = undefined;
    for (const one of this.attached) {
      if (one.role === 'only') this.fastest = one;
      else if (this.fastest?.role !== 'only' && one.acked >= (this.fastest?.acked ?? 0)) this.fastest = one;
    }
  }
}
