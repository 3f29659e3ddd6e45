const QUIET_MS = 150;
const SLOWEST_MS = 10_000;

/** Measures a keystroke's way to the shell and back. Only after a moment of silence, or running output would count as an echo. */
export class EchoClock {
  private typedAt: number | null = null;
  private lastOutput = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  typed(): void {
    const now = this.now();
    if (this.typedAt === null && now - this.lastOutput > QUIET_MS) this.typedAt = now;
  }

  /** Output came. The time since the keystroke in ms, or null when this output answers none. */
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
