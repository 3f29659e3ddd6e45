import { TerminalRefusal } from '@warren/proto/agent/v1/agent';
import { TerminalRefused } from '../errors.ts';
import type { Pty } from '../system/pty.ts';
import type { TerminalLimits } from './limits.ts';

/** Screens that a terminal remembers; an older one gets a count of 0. */
const WRITERS_MAX = 16;

/**
 * Counts the bytes that each screen has typed into a terminal. A reconnecting screen resumes from its count, so that a keystroke
 * in flight is typed exactly once.
 */
export class TypedInput {
  private counts = new Map<string, number>();

  /** Bytes typed by this writer so far. */
  of(writer: string): number {
    return this.counts.get(writer) ?? 0;
  }

  set(writer: string, count: number): void {
    if (writer === '') return;
    // Moves the latest writer to the end, to be evicted last.
    this.counts.delete(writer);
    this.counts.set(writer, count);
    const [oldest] = this.counts.keys();
    if (this.counts.size > WRITERS_MAX && oldest !== undefined) this.counts.delete(oldest);
  }
}

/** The window of input that the program has not read yet. */
export class InputRoom {
  private readonly pty: Pty;
  private readonly limits: TerminalLimits;
  private readonly isUrgent: () => boolean;
  private waiting: (() => void)[] = [];

  /** @param isUrgent whether what travels behind the input must not wait for it */
  constructor(pty: Pty, limits: TerminalLimits, isUrgent: () => boolean) {
    this.pty = pty;
    this.limits = limits;
    this.isUrgent = isUrgent;
    pty.onWritable = () => this.release();
  }

  /** False while more input should wait. */
  get isLeft(): boolean {
    return this.pty.backlog <= this.limits.input || this.isUrgent();
  }

  /** @throws TerminalRefused when the limit is reached */
  claim(bytes: number): void {
    if (this.pty.backlog + bytes <= this.limits.inputMax) return;
    throw new TerminalRefused(
      `the program does not read its input: more than ${this.limits.inputMax} bytes are waiting`,
      TerminalRefusal.INPUT_FULL,
    );
  }

  /** Settles when more input is welcome. */
  async wait(): Promise<void> {
    while (!this.isLeft) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Looks again whether there is room. */
  release(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
