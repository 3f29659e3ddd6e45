import { Injectable } from '@nestjs/common';

/** Decay of the count per second. */
const KEPT_OF_A_SECOND = Math.exp(-1);
/** Dials per second that count as a storm: many times the rate of a fleet at rest. */
const RUSH = 50;

/** Detects a storm of dials by their count in about the last second. */
@Injectable()
export class Rush {
  private count = 0;
  private at = 0;

  /** Counts a dial. */
  dialled(now = performance.now()): void {
    this.count = this.recent(now) + 1;
    this.at = now;
  }

  /** Whether deferrable work should wait. */
  isOn(now = performance.now()): boolean {
    return this.recent(now) > RUSH;
  }

  private recent(now: number): number {
    return this.count * KEPT_OF_A_SECOND ** ((now - this.at) / 1_000);
  }
}
