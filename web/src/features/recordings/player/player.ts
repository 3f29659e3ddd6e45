import { afterIdle, ReplayClock, speedBeside, type Speed } from './clock.ts';
import { NOT_OPEN, type PlayerState, type PlayerStatus } from './player-state.ts';
import { Projector, type Follower } from './projector.ts';
import { Reader } from './reader.ts';
import type { RecordingSource } from './source.ts';
import type { Stage } from './stage.ts';
import type { Timeline } from './timeline.ts';

/** How often the position is shown while it moves. */
const SHOWN_MS = 100;
/** Who follows a live session, and is further behind, goes to its end. */
const BEHIND_MS = 25_000;
/** A seek that takes longer says how far it is. */
const SLOW_MS = 500;
/** A picture that takes longer than this is waited for by the clock. */
const LATE_MS = 100;

export interface PlayerOptions {
  source: RecordingSource;
  stage: Stage;
  isLive: boolean;
  onState: (state: PlayerState) => void;
  /** The time of day in milliseconds, and the next moment to draw at. */
  now?: () => number;
  frame?: () => Promise<void>;
}

/** Plays a recording on a stage: reads what it needs, seeks, and leaves out pauses. Independent of React and the DOM. */
export class Player {
  state: PlayerState = NOT_OPEN;
  private readonly reader: Reader;
  private readonly projector: Projector;
  private readonly clock = new ReplayClock();
  private readonly now: () => number;
  private readonly frame: () => Promise<void>;
  /** Counts what was asked for: earlier work ends at its next step. */
  private turn = 0;
  private isSeeking = false;
  private isLive: boolean;
  private shownAt = 0;
  /** When the last seek began. */
  private soughtAt = 0;
  private readonly follower: Follower = {
    progresses: (progress) => {
      const now = this.now();
      if (now - this.soughtAt >= SLOW_MS && now - this.shownAt >= SHOWN_MS) this.show({ progress });
    },
  };

  constructor(private readonly options: PlayerOptions) {
    const { source, stage, isLive, now = () => performance.now(), frame = nextFrame } = options;
    this.now = now;
    this.frame = frame;
    this.isLive = isLive;
    this.reader = new Reader(source);
    this.projector = new Projector(this.reader, stage);
  }

  get timeline(): Timeline {
    return this.reader.timeline;
  }

  /** Reads the index, and at once with it what is shown at a time, and plays from there. */
  async open(atMs: number, plays: boolean): Promise<void> {
    await this.work(plays, async (isCurrent) => {
      const index = this.reader.index();
      const { hasSnapshots } = this.options.stage;
      if (atMs === 0 || !hasSnapshots) this.reader.prefetch(0);
      const [snapshot] = await Promise.all([this.projector.snapshot(atMs), index]);
      const at = Math.min(atMs, this.timeline.durationMs);
      this.clock.move(at, this.now());
      if (isCurrent()) await this.projector.begin(snapshot, isCurrent);
      if (isCurrent()) await this.projector.show(at, isCurrent, this.follower);
    });
  }

  /** Reads what was recorded since. @param isLive whether the session still is */
  async extend(isLive: boolean): Promise<void> {
    this.isLive = isLive;
    const before = this.timeline.count;
    await this.reader.index();
    const { status, follows, plays } = this.state;
    const hasMore = this.timeline.count > before;
    if (follows && this.timeline.durationMs - this.position > BEHIND_MS) return this.follow();
    if (status !== 'waiting') return this.show({});
    if (!hasMore) return this.show({ status: this.endStatus });
    if (!plays) return this.show({ status: 'paused' });
    this.clock.move(this.timeline.beginOf(before) ?? 0, this.now());
    this.run();
  }

  play(): void {
    const { status, positionMs } = this.state;
    if (status === 'ended') void this.seek(0, true);
    else if (status === 'failed') void this.seek(positionMs, true);
    else if (status === 'paused') this.run();
    else this.show({ plays: true });
  }

  pause(): void {
    if (this.isSeeking) return this.show({ plays: false, follows: false });
    this.turn += 1;
    this.clock.stop(this.now());
    this.show({ plays: false, follows: false, status: this.restStatus });
  }

  toggle(): void {
    const { plays, status } = this.state;
    if (plays && status !== 'ended' && status !== 'failed') this.pause();
    else this.play();
  }

  /** Shows the recording at a time. @param plays by default as before */
  async seek(ms: number, plays = this.state.plays): Promise<void> {
    this.state = { ...this.state, follows: false };
    await this.work(plays, async (isCurrent) => {
      if (this.timeline.count === 0) await this.reader.index();
      const at = Math.max(0, Math.min(ms, this.timeline.durationMs));
      this.clock.move(at, this.now());
      this.show({});
      if (isCurrent()) await this.projector.show(at, isCurrent, this.follower);
    });
  }

  /** Moves by milliseconds. */
  skip(ms: number): void {
    void this.seek(this.position + ms);
  }

  /** Shows the screen after the next event, or before the last one, and pauses. */
  async step(by: 1 | -1): Promise<void> {
    this.pause();
    const { turn } = this;
    const found = await (by === 1 ? this.projector.timeAfter() : this.projector.timeBefore()).catch(() => undefined);
    if (turn !== this.turn) return;
    await this.seek(found ?? (by === 1 ? this.timeline.durationMs : 0), false);
  }

  /** Stays at the end of a live session. */
  follow(): void {
    void this.seek(this.timeline.durationMs, true);
    this.show({ follows: true });
  }

  setSpeed(speed: Speed): void {
    this.clock.setSpeed(speed, this.now());
    this.show({});
  }

  changeSpeed(by: 1 | -1): void {
    this.setSpeed(speedBeside(this.clock.speed, by));
  }

  skipIdle(skipsIdle: boolean): void {
    this.show({ skipsIdle });
  }

  /** Ends all work. */
  dispose(): void {
    this.turn += 1;
  }

  private get position(): number {
    return Math.min(this.clock.at(this.now()), this.timeline.durationMs);
  }

  private get endStatus(): PlayerStatus {
    return this.isLive ? 'waiting' : 'ended';
  }

  private get restStatus(): PlayerStatus {
    return this.projector.isAtEnd ? this.endStatus : 'paused';
  }

  /** Does a task in place of what was begun before, and plays afterwards if that is wanted by then. */
  private async work(plays: boolean, task: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    this.turn += 1;
    const { turn } = this;
    this.isSeeking = true;
    this.soughtAt = this.now();
    this.clock.stop(this.now());
    this.show({ status: 'loading', plays, progress: null, error: undefined });
    try {
      await task(() => turn === this.turn);
      if (turn === this.turn) this.isSeeking = false;
    } catch (error) {
      if (turn === this.turn) this.fail(error);
      return;
    }
    if (turn !== this.turn) return;
    if (this.state.plays && !this.projector.isAtEnd) this.run();
    else this.show({ status: this.restStatus });
  }

  private run(): void {
    this.turn += 1;
    const { turn } = this;
    this.clock.start(this.now());
    this.show({ status: 'playing', plays: true, progress: null });
    this.playOn(() => turn === this.turn).catch((error: unknown) => {
      if (turn === this.turn) this.fail(error);
    });
  }

  private async playOn(isCurrent: () => boolean): Promise<void> {
    while (isCurrent()) {
      await this.drawDue(isCurrent);
      if (!isCurrent()) return;
      if (this.projector.isAtEnd) return this.rest();
      if (this.state.skipsIdle) this.leaveIdle();
      if (this.now() - this.shownAt >= SHOWN_MS) this.show({});
      await this.frame();
    }
  }

  /** Draws what is due by the clock, which waits for a slow picture. */
  private async drawDue(isCurrent: () => boolean): Promise<void> {
    const since = this.now();
    const at = this.clock.at(since);
    await this.projector.drawUntil(at, isCurrent, { reads: (isReading) => this.wait(isReading) });
    if (isCurrent() && this.now() - since > LATE_MS) this.clock.move(at, this.now());
  }

  /** The clock stands while a chunk is read. */
  private wait(isReading: boolean): void {
    if (isReading) this.clock.stop(this.now());
    else this.clock.start(this.now());
    this.show({ status: isReading ? 'loading' : 'playing' });
  }

  private rest(): void {
    this.clock.stop(this.now());
    this.clock.move(this.timeline.durationMs, this.now());
    this.show({ status: this.endStatus });
  }

  private leaveIdle(): void {
    const { nextMs, drawnMs } = this.projector;
    const resume = nextMs === undefined ? undefined : afterIdle(this.clock.at(this.now()), drawnMs, nextMs);
    if (resume !== undefined) this.clock.move(resume, this.now());
  }

  private fail(error: unknown): void {
    this.isSeeking = false;
    this.clock.stop(this.now());
    this.show({ status: 'failed', error });
  }

  private show(change: Partial<PlayerState>): void {
    this.shownAt = this.now();
    const { durationMs } = this.timeline;
    this.state = { ...this.state, ...change, positionMs: this.position, durationMs, speed: this.clock.speed };
    this.options.onState(this.state);
  }
}

const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
