const QUIET_MS = 150;
const SLOWEST_MS = 10_000;

/** Measures the round trip of a keystroke through the shell. Only after a silent moment, or running output would count as an echo. */
export class EchoClock {
  private typedAt: number | null = null;
  private lastOutput = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  typed(): void {
    const now = this.now();
    if (this.typedAt === null && now - this.lastOutput > QUIET_MS) this.typedAt = now;
  }

  /** Takes output. Returns the milliseconds since the keystroke, or null when this output answers none. */
  answered(): number | null {
    const now = this.now();
    const typedAt = this.typedAt;
    this.lastOutput = now;
    this.typedAt = null;
    return typedAt !== null && now - typedAt < SLOWEST_MS ? now - typedAt : null;
  }

  reset(): void {
    this.typedAt = null;
  }
}
