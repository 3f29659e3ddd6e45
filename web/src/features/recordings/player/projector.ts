import type { RecordedEvent, Size } from '@warren/rules/recordings/frames';
import { cursorAt, isSeen, timeBefore, type Cursor } from './cursor.ts';
import type { Reader } from './reader.ts';
import type { Snapshot } from './source.ts';
import { Stage, type ReplayScreen } from './stage.ts';

/** Decoded bytes that are drawn rather than to begin with a snapshot. */
const DRAWN_ON = 1_572_864;

type Task = () => boolean;

/** Shows a recording at a time. What a task draws after it is no longer current is left out. */
export class Projector {
  private readonly stage: Stage;
  private cursor: Cursor = { sequence: 0, event: 0, skip: 0, offset: 0 };
  private isBegun = false;
  /** When the last drawn event happened. */
  private drawn = 0;

  /** @param size at the start of the session */
  constructor(
    private readonly reader: Reader,
    screen: ReplayScreen,
    private readonly size: Size,
  ) {
    this.stage = new Stage(screen);
  }

  get drawnMs(): number {
    return this.drawn;
  }

  get isAtEnd(): boolean {
    return this.cursor.sequence >= this.reader.timeline.count;
  }

  /** Shows the recording at a time: onwards from what is drawn, or from a snapshot where that is less. */
  async show(ms: number, isCurrent: Task): Promise<void> {
    if (!this.isNear(ms)) {
      const snapshot = ms > 0 ? await this.reader.snapshot(ms) : null;
      if (isCurrent() && !this.isBetween(snapshot, ms)) await this.begin(snapshot, isCurrent);
    }
    if (!isCurrent()) return;
    await this.drawUntil(ms, isCurrent);
    if (isCurrent()) await this.stage.finish();
  }

  /** Begins with a snapshot; null: with the start. */
  async begin(snapshot: Snapshot | null, isCurrent: Task): Promise<void> {
    const { timeline } = this.reader;
    const sequence = snapshot?.sequence ?? 0;
    const events = sequence < timeline.count ? await this.reader.events(sequence) : [];
    if (!isCurrent()) return;
    const begin = timeline.offsetOf(sequence);
    const drawn = snapshot ? this.stage.restore(snapshot) : this.stage.clear(this.size);
    this.cursor = snapshot
      ? cursorAt(sequence, events, begin, snapshot.offset)
      : { sequence, event: 0, skip: 0, offset: begin };
    this.drawn = snapshot?.atMs ?? 0;
    this.isBegun = true;
    await drawn;
  }

  /** Draws onwards to a time. @param reads is called while a chunk is read that was not in memory */
  async drawUntil(ms: number, isCurrent: Task, reads: (isReading: boolean) => void = () => undefined): Promise<void> {
    const { cursor, reader } = this;
    while (this.comesBefore(ms)) {
      reader.prefetch(cursor.sequence + 1);
      let events = reader.peek(cursor.sequence);
      if (!events) {
        reads(true);
        events = await reader.events(cursor.sequence);
        if (!isCurrent()) return;
        reads(false);
      }
      await this.drawOf(events, ms, isCurrent);
      if (!isCurrent() || cursor.event < events.length) return;
      cursor.sequence += 1;
      cursor.event = 0;
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

  private async drawOf(events: readonly RecordedEvent[], ms: number, isCurrent: Task): Promise<void> {
    const { cursor } = this;
    for (let event = events[cursor.event]; event && event.atMs <= ms; event = events[cursor.event]) {
      if (!isCurrent()) return;
      this.drawn = event.atMs;
      await this.stage.draw(event, cursor);
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
