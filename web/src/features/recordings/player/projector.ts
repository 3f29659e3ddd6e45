import type { RecordedEvent } from '@warren/rules/recordings/frames';
import { advance, cursorAt, isSeen, timeBefore, type Cursor } from './cursor.ts';
import type { Reader } from './reader.ts';
import type { Snapshot } from './source.ts';
import type { Stage } from './stage.ts';

/** Decoded bytes that are drawn rather than to begin with a snapshot. */
const DRAWN_ON = 1_572_864;
/** Chunks that are read ahead of the one that is drawn. The cache holds them. */
const AHEAD = 6;

type Task = () => boolean;

/** What a caller wants to know while events are drawn. */
export interface Follower {
  /** A chunk is read that was not in memory. */
  reads?: (isReading: boolean) => void;
  /** How much of what has to be drawn is drawn, from 0 to 1. */
  progresses?: (share: number) => void;
}

/** Shows a recording at a time. What a task draws after it is no longer current is left out. */
export class Projector {
  private cursor: Cursor = { sequence: 0, event: 0, skip: 0, offset: 0 };
  private isBegun = false;
  /** When the last drawn event happened. */
  private drawn = 0;

  constructor(
    private readonly reader: Reader,
    private readonly stage: Stage,
  ) {}

  get drawnMs(): number {
    return this.drawn;
  }

  get isAtEnd(): boolean {
    return this.cursor.sequence >= this.reader.timeline.count;
  }

  /** Shows the recording at a time: onwards from what is drawn, or from a snapshot where that is less. */
  async show(ms: number, isCurrent: Task, follower: Follower = {}): Promise<void> {
    if (!this.isNear(ms)) {
      const snapshot = await this.snapshot(ms);
      if (isCurrent() && !this.isBetween(snapshot, ms)) await this.begin(snapshot, isCurrent);
    }
    if (!isCurrent()) return;
    await this.drawUntil(ms, isCurrent, follower);
    if (isCurrent()) await this.stage.finish();
  }

  /** The snapshot from which a time is drawn; null: from the start. */
  async snapshot(ms: number): Promise<Snapshot | null> {
    return this.stage.hasSnapshots && ms > 0 ? this.reader.snapshot(ms) : null;
  }

  /** Begins with a snapshot; null: with the start. */
  async begin(snapshot: Snapshot | null, isCurrent: Task): Promise<void> {
    const { timeline } = this.reader;
    const sequence = snapshot?.sequence ?? 0;
    const events = sequence < timeline.count ? await this.reader.events(sequence) : [];
    if (!isCurrent()) return;
    const begin = timeline.offsetOf(sequence);
    const drawn = this.stage.begin(snapshot);
    this.cursor = snapshot
      ? cursorAt(sequence, events, begin, snapshot.offset)
      : { sequence, event: 0, skip: 0, offset: begin };
    this.drawn = snapshot?.atMs ?? 0;
    this.isBegun = true;
    await drawn;
  }

  /** Draws onwards to a time. */
  async drawUntil(ms: number, isCurrent: Task, { reads, progresses }: Follower = {}): Promise<void> {
    const { cursor, reader } = this;
    const { timeline } = reader;
    const last = timeline.chunkAt(ms);
    const whole = progresses ? Math.max(1, timeline.between(cursor.sequence, last + 1)) : 1;
    let drawn = 0;
    while (this.comesBefore(ms)) {
      const { sequence } = cursor;
      for (let ahead = 1; ahead <= AHEAD && (ahead === 1 || sequence + ahead <= last); ahead++)
        reader.prefetch(sequence + ahead);
      let events = reader.peek(sequence);
      if (!events) {
        reads?.(true);
        events = await reader.events(sequence);
        if (!isCurrent()) return;
        reads?.(false);
      }
      const size = timeline.between(sequence, sequence + 1);
      await this.drawOf(events, ms, isCurrent, (share) => progresses?.((drawn + size * share) / whole));
      if (!isCurrent() || cursor.event < events.length) return;
      cursor.sequence += 1;
      cursor.event = 0;
      drawn += size;
    }
  }

  /** When something is seen next, as far as that is in memory; undefined at the end. */
  get nextMs(): number | undefined {
    const { sequence, event } = this.cursor;
    const events = this.reader.peek(sequence);
    const next = events?.slice(event).find(isSeen)?.atMs;
    return next ?? this.reader.timeline.beginOf(events ? sequence + 1 : sequence);
  }

  /** When something is seen after what is drawn; undefined at the end. */
  async timeAfter(): Promise<number | undefined> {
    if (!this.isAtEnd) await this.reader.events(this.cursor.sequence);
    return this.nextMs;
  }

  /** When something was seen before what was drawn last; undefined at the start. */
  async timeBefore(): Promise<number | undefined> {
    const { timeline } = this.reader;
    for (let at = timeline.chunkAt(this.drawn); at >= 0 && timeline.count > 0; at--) {
      const found = timeBefore(await this.reader.events(at), this.drawn);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** @param drew is called with the drawn share of the events */
  private async drawOf(
    events: readonly RecordedEvent[],
    ms: number,
    isCurrent: Task,
    drew: (share: number) => void,
  ): Promise<void> {
    const { cursor } = this;
    for (let event = events[cursor.event]; event && event.atMs <= ms; event = events[cursor.event]) {
      if (!isCurrent()) return;
      const { offset, skip } = cursor;
      this.drawn = event.atMs;
      advance(cursor, event);
      await this.stage.draw(event, offset, skip);
      if (isCurrent()) drew(cursor.event / events.length);
    }
  }

  private comesBefore(ms: number): boolean {
    const begin = this.reader.timeline.beginOf(this.cursor.sequence);
    return begin !== undefined && begin <= ms;
  }

  /** Whether little is between what is drawn and a time. */
  private isNear(ms: number): boolean {
    if (!this.isBegun || ms < this.drawn) return false;
    const { timeline } = this.reader;
    return timeline.between(this.cursor.sequence, timeline.chunkAt(ms) + 1) <= DRAWN_ON;
  }

  /** Whether what is drawn is between a snapshot and a time. */
  private isBetween(snapshot: Snapshot | null, ms: number): boolean {
    return this.isBegun && ms >= this.drawn && this.cursor.offset >= (snapshot?.offset ?? 0);
  }
}
