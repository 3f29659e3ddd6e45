import { TerminalRefusal } from '@warren/proto/agent/v1/agent';
import { setTimeout as wait } from 'node:timers/promises';
import { TerminalRefused } from '../errors.ts';
import type { PtySize } from '../system/pty.ts';
import { OutputBoundary } from './boundary.ts';
import { Emulator, SCROLLBACK } from './emulator.ts';
import type { ReplayRing } from './ring.ts';

/** A screen at an offset of the output. */
export interface Snapshot {
  /** Offset of the first byte that is not part of it. */
  offset: number;
  /** Draws it on an xterm that was reset and has this size. */
  data: Uint8Array<ArrayBuffer>;
  size: PtySize;
}

/** Bytes that are parsed in one go: about 2 ms on a small computer, by which a keystroke may be late. */
const PIECE = 16 * 1024;
/** Pause after a snapshot, in times of what it took: snapshots use at most a tenth of the processor. */
const REST = 9;
const REST_MIN_MS = 50;

/** Bytes of a snapshot at most: the hub reads messages of up to 256 KiB. */
export const LARGEST_SNAPSHOT = 192 * 1024;
/** Rows above the screen, which are left out as far as a snapshot is too large. */
const SCROLLBACKS = [SCROLLBACK, 50, 0];

interface Drawn {
  screen: Emulator;
  boundary: OutputBoundary;
  /** Bytes that the screen has. */
  offset: number;
}

/**
 * Takes snapshots of a terminal's screen for readers that are too slow for its output. The screen is drawn only on demand, from the
 * replay buffer: from where the last snapshot was taken, or from the buffer's start where output between has left it.
 */
export class Snapshots {
  private readonly ring: ReplayRing;
  private readonly size: () => PtySize;
  private readonly needed: () => boolean;
  private drawn: Drawn | undefined;
  private taking: Promise<Snapshot | undefined> | undefined;
  private rested: Promise<unknown> = Promise.resolve();

  /**
   * @param size the terminal's present size
   * @param needed whether the terminal has an attachment that may need a snapshot
   */
  constructor(ring: ReplayRing, size: () => PtySize, needed: () => boolean) {
    this.ring = ring;
    this.size = size;
    this.needed = needed;
  }

  /**
   * Takes a snapshot; calls at the same time share one.
   * @throws TerminalRefused if the screen alone is too large for one
   * @returns undefined if the output leaves the buffer faster than it is drawn, or has no place to cut it now
   */
  take(): Promise<Snapshot | undefined> {
    this.taking ??= this.rested
      .then(() => this.draw())
      .finally(() => {
        this.taking = undefined;
        this.free();
      });
    return this.taking;
  }

  /** Frees the screen if no attachment needs it. */
  free(): void {
    if (!this.taking && !this.needed()) this.drop();
  }

  private async draw(): Promise<Snapshot | undefined> {
    const began = performance.now();
    try {
      const drawn = await this.begin();
      const whole = await this.catchUp(drawn, this.ring.end);
      return whole ? snapshotOf(drawn) : undefined;
    } finally {
      const rest = Math.max(REST_MIN_MS, (performance.now() - began) * REST);
      this.rested = wait(rest, undefined, { ref: false });
    }
  }

  /** Draws the output up to the last cut before `end`; false if that is impossible now. */
  private async catchUp(drawn: Drawn, end: number): Promise<boolean> {
    let whole = true;
    while (drawn.offset < end) {
      if (drawn.offset < this.ring.start) return false;
      const bytes = this.ring.read(drawn.offset, Math.min(PIECE, end - drawn.offset));
      const isLast = drawn.offset + bytes.length === end;
      const cut = drawn.boundary.read(bytes);
      whole = cut !== -1;
      const taken = isLast && whole ? bytes.subarray(0, cut) : bytes;
      await drawn.screen.write(taken);
      drawn.offset += taken.length;
      if (taken.length < bytes.length) {
        // The next snapshot reads the rest from this cut.
        drawn.boundary = new OutputBoundary();
        break;
      }
    }
    return whole && drawn.offset >= this.ring.start;
  }

  /** The screen to draw on. */
  private async begin(): Promise<Drawn> {
    const { ring } = this;
    if (this.drawn && this.drawn.offset < ring.start) this.drop();
    this.drawn ??= {
      screen: await Emulator.load(this.size()),
      boundary: new OutputBoundary(),
      offset: ring.start,
    };
    this.drawn.screen.resize(this.size());
    return this.drawn;
  }

  private drop(): void {
    this.drawn?.screen.dispose();
    this.drawn = undefined;
  }
}

/** @throws TerminalRefused */
function snapshotOf({ screen, offset }: Drawn): Snapshot {
  for (const scrollback of SCROLLBACKS) {
    const data = screen.serialize(scrollback);
    if (data.length <= LARGEST_SNAPSHOT) return { offset, data, size: screen.size };
  }
  const reason = `the screen is too large to skip output: it takes more than ${LARGEST_SNAPSHOT / 1024} KiB`;
  throw new TerminalRefused(reason, TerminalRefusal.SCREEN);
}
