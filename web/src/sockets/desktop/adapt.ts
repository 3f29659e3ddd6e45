/** noVNC's two settings, 0 to 9 each (specification, section 5). */
export interface Levels {
  /** JPEG quality: 9 is best. */
  quality: number;
  /** Compression of the server: 9 is the highest, and the slowest for the device. */
  compression: number;
}

/** Section 9 of the specification. */
export const DEFAULT_LEVELS: Levels = { quality: 6, compression: 2 };

/** From the lowest to the highest quality. */
const STEPS: readonly Levels[] = [
  { quality: 0, compression: 9 },
  { quality: 2, compression: 7 },
  { quality: 4, compression: 4 },
  DEFAULT_LEVELS,
  { quality: 8, compression: 1 },
];
const USUAL = STEPS.indexOf(DEFAULT_LEVELS);

/** Round-trip time behind the picture's own bytes: above it, the picture lags noticeably. */
const SLOW_MS = 250;
const QUICK_MS = 60;
/** Consecutive measurements before a step: fast downwards, slow upwards. */
const SLOW_COUNT = 2;
const QUICK_COUNT = 6;

/** Adapts the picture quality to the link, by the round-trip time while drawing. */
export class LinkAdapter {
  private step = USUAL;
  private slow = 0;
  private quick = 0;

  get levels(): Levels {
    return STEPS[this.step] ?? DEFAULT_LEVELS;
  }

  /** Takes one round-trip time; true when the levels have changed. */
  measured(ms: number): boolean {
    this.slow = ms > SLOW_MS ? this.slow + 1 : 0;
    this.quick = ms < QUICK_MS ? this.quick + 1 : 0;
    if (this.slow >= SLOW_COUNT) return this.move(-1);
    if (this.quick >= QUICK_COUNT) return this.move(1);
    return false;
  }

  private move(by: number): boolean {
    const next = Math.min(STEPS.length - 1, Math.max(0, this.step + by));
    const changed = next !== this.step;
    this.step = next;
    this.slow = this.quick = 0;
    return changed;
  }
}
