/** Echo above this round trip is predicted, in ms. */
const SLOW_MS = 60;
/** Prediction ends below this round trip, in ms: the difference keeps a line at the limit from alternating. */
const FAST_MS = 40;
/** The round trip is the median of so many echoes, as a busy page or a retransmission makes single ones late. */
const SAMPLES = 5;
const LEAST_SAMPLES = 3;
/** An echo that takes longer than this is a glitch, on a fast line too. */
export const GLITCH_MS = 250;
const LONG_GLITCH_MS = 5_000;
/** Prediction after a glitch ends with so many quick echoes, each this long after the one before. */
const REPAIRS = 10;
const REPAIR_MS = 150;

/** Decides from echoes whether the line is so slow that predictions help: by their median and, as Mosh does, by glitches. */
export class EchoPace {
  private readonly samples: number[] = [];
  private slow = false;
  private repairs = 0;
  private repairedAt = -Infinity;

  get isSlow(): boolean {
    return this.slow || this.repairs > 0;
  }

  /** Milliseconds from a key to its echo; null before the first few. */
  get roundTrip(): number | null {
    if (this.samples.length < LEAST_SAMPLES) return null;
    return this.samples.toSorted((a, b) => a - b)[this.samples.length >> 1] ?? null;
  }

  /**
   * Takes the time that an echo took.
   * @param shown whether a prediction is on the screen: it is not removed by a change of mind
   */
  echoed(ms: number, now: number, shown: boolean): void {
    this.samples.push(ms);
    if (this.samples.length > SAMPLES) this.samples.shift();
    const { roundTrip } = this;
    if (roundTrip !== null && roundTrip > SLOW_MS) this.slow = true;
    else if (roundTrip !== null && roundTrip < FAST_MS && !shown) this.slow = false;
    if (ms >= GLITCH_MS || this.repairs === 0 || now - this.repairedAt < REPAIR_MS) return;
    this.repairs -= 1;
    this.repairedAt = now;
  }

  /** Takes the age of the oldest key without an echo. */
  waiting(ms: number): void {
    if (ms >= LONG_GLITCH_MS) this.repairs = 2 * REPAIRS;
    else if (ms >= GLITCH_MS) this.repairs = Math.max(this.repairs, REPAIRS);
  }
}
