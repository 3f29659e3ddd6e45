import { TerminalRefusal } from '@warren/proto/agent/v1/agent';
import { TerminalRefused } from '../errors.ts';
import type { TerminalLimits } from './limits.ts';
import { Writers, type Writer } from './writers.ts';

/** What a terminal needs of each of its attachments. */
interface Member extends Writer {
  resized(): void;
}

/** Everybody who is attached to a terminal: writers, readers, and one recorder. */
export class Audience<M extends Member> {
  readonly writers: Writers<M>;
  private readonly readers = new Set<M>();
  private readonly limits: TerminalLimits;
  private present: M | undefined;

  /** @param seen offset that writers have drawn before */
  constructor(limits: TerminalLimits, seen: number) {
    this.limits = limits;
    this.writers = new Writers(seen);
  }

  get recorder(): M | undefined {
    return this.present;
  }

  get counts(): { writers: number; readers: number } {
    return { writers: this.writers.count, readers: this.readers.size };
  }

  /** Whether anybody may skip output, and then needs the screen. */
  get mayNeedScreen(): boolean {
    return this.readers.size > 0 || this.writers.count > 1 || this.recorder !== undefined;
  }

  /**
   * Ends the attachments that a new one replaces.
   * @param writer the screen's name for itself
   * @throws TerminalRefused when there are too many of its kind
   */
  makeRoom(role: Member['role'], writer: string): void {
    if (role === 'recorder')
      return this.recorder?.end('another recorder has this terminal now', TerminalRefusal.TAKEN_OVER);
    const takenOver = 'this terminal was taken over by another window';
    // A screen that reconnects replaces its own attachment, whose break may not be known yet.
    if (role !== 'reader')
      this.writers.end(role === 'only' ? undefined : writer, takenOver, TerminalRefusal.TAKEN_OVER);
    const { writers, readers } = this.counts;
    const [count, most] = role === 'reader' ? [readers, this.limits.readers] : [writers, this.limits.writers];
    if (count < most) return;
    throw new TerminalRefused(`this terminal has ${count} ${role}s, which is the most it allows`, TerminalRefusal.FULL);
  }

  add(member: M): void {
    if (member.role === 'reader') this.readers.add(member);
    else if (member.role === 'recorder') this.present = member;
    else this.writers.add(member);
  }

  /** @returns whether it was a writer */
  delete(member: M): boolean {
    this.readers.delete(member);
    if (this.recorder === member) this.present = undefined;
    return this.writers.delete(member);
  }

  /** There may be more to send. Writers first: a reader never delays an echo. */
  wake(): void {
    this.writers.wake();
    for (const reader of this.readers) reader.wake();
    this.recorder?.wake();
  }

  /** The terminal has another size. */
  resized(): void {
    for (const member of [...this.writers.all, ...this.readers]) member.resized();
    this.recorder?.wake();
  }
}
