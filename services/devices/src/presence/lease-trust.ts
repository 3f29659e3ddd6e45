/** How long a replica's lease holds without being renewed, in milliseconds. */
export const LEASE_MS = 4_000;

/** Reads come every second; a longer gap means that this process, Redis or the whole machine was suspended. */
const MAX_GAP_MS = 3_000;

/**
 * Whether the leases in Redis are reliable. After Redis was down, came back empty, or time jumped, a live replica needs a
 * lease period to renew; until then a missing lease means nothing.
 */
export class LeaseTrust {
  private last: number | undefined;
  private since: number | undefined;

  /** Starts over after an event that can have lost leases. */
  doubt(): void {
    this.since = undefined;
  }

  /**
   * Call for each successful read.
   * @param now milliseconds by the clock of Redis
   */
  believes(now: number): boolean {
    const gap = this.last === undefined ? Infinity : now - this.last;
    if (gap > MAX_GAP_MS || gap < 0) this.doubt();
    this.last = now;
    this.since ??= now;
    return now - this.since >= LEASE_MS;
  }
}
