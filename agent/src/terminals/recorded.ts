import { Recording } from '@warren/proto/agent/v1/agent';
import type { PtySize } from '../system/pty.ts';
import type { TerminalState } from './kept.ts';

/** A size that the terminal has from an offset of its output on. */
interface SizeMark {
  offset: number;
  size: PtySize;
  /** Counts the changes. */
  number: number;
}

/** How a terminal is recorded: how far its output is stored, and which sizes it has had since. */
export class RecordedOutput {
  mode = Recording.UNSPECIFIED;
  /** All output before this offset is stored. */
  stored = 0;
  private readonly most: number;
  private hasEnded: boolean;
  private changes = 0;
  /** By offset. The first one is in force at `stored`. */
  private readonly marks: SizeMark[] = [];

  /**
   * @param most sizes that are kept
   * @param state the terminal when this agent got it
   */
  constructor(most: number, { record, start, seen, size, sizes, isStored }: TerminalState) {
    this.most = most;
    this.mode = record;
    this.hasEnded = isStored;
    for (const [offset, cols, rows] of sizes) this.resize(offset, { cols, rows });
    if (sizes.length === 0) this.resize(start, size);
    // Where a recording is required, what is not stored has not been seen.
    if (this.isRecorded) this.store(record === Recording.REQUIRED ? seen : start);
  }

  get isRecorded(): boolean {
    return this.mode !== Recording.UNSPECIFIED;
  }

  /** The sizes since `stored`. */
  get sizes(): [offset: number, cols: number, rows: number][] {
    return this.marks.map(({ offset, size: { cols, rows } }) => [offset, cols, rows]);
  }

  /** Whether its recorder has stored everything, with the exit. */
  get isStored(): boolean {
    return this.hasEnded;
  }

  /** Whether the terminal is recorded, and its recorder has not stored everything. */
  get unfinished(): boolean {
    return this.isRecorded && !this.hasEnded;
  }

  /** Bytes before `end` for which the program may have to wait. */
  unstored(end: number): number {
    return this.mode === Recording.REQUIRED && !this.hasEnded ? end - this.stored : 0;
  }

  /**
   * Records from now on, or more strictly; never less.
   * @param from offset of the oldest output that can be recorded
   * @returns whether that is a change
   */
  raise(mode: Recording, from: number): boolean {
    if (mode <= this.mode) return false;
    if (!this.isRecorded) this.store(from);
    this.mode = mode;
    return true;
  }

  /** All output before `offset` is stored. */
  store(offset: number): void {
    this.stored = Math.max(this.stored, offset);
    while ((this.marks[1]?.offset ?? Infinity) <= this.stored) this.marks.shift();
  }

  /** The exit is stored too: nothing is kept for a recorder any more. */
  finish(): void {
    this.hasEnded = true;
  }

  /** The terminal has another size from `offset` on. Of a flood of changes, the last ones are kept. */
  resize(offset: number, size: PtySize): void {
    if (this.marks.at(-1)?.offset === offset || this.mode === Recording.UNSPECIFIED) this.marks.pop();
    this.marks.push({ offset, size, number: ++this.changes });
    if (this.marks.length > this.most) this.marks.shift();
  }

  /** The size at `offset`; the first one that is known for an earlier one. */
  at(offset: number): SizeMark | undefined {
    return this.marks.findLast((mark) => mark.offset <= offset) ?? this.marks[0];
  }

  /** The change of the size after another one. */
  after(number: number): SizeMark | undefined {
    return this.marks.find((mark) => mark.number > number);
  }
}
