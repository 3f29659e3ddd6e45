/** How long a replica's lease holds without being renewed, in milliseconds. */
export const LEASE_MS = 4_000;

/** Reads come every second; a longer gap means that this process, Redis or the whole machine stood still. */
const MAX_GAP_MS = 3_000;

/**
 * Whether what Redis says of leases can be believed. After it was away, came back empty, or time jumped, a replica that lives
 * needs a lease period to be seen again; a missing lease means nothing before.
 */
export class LeaseTrust {
  private last: number | undefined;
  private since: number | undefined;

  /** Starts over: something happened that can have lost leases. */
  doubt(): void {
    this.since = undefined;
  }

  /**
   * Called for each read that worked.
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
