import type { UsageKind } from '@warren/proto/events/v1/events';

/** The use of one kind by one account since it was last taken. */
export class Tally {
  bytesToDevice = 0;
  bytesFromDevice = 0;
  opened = 0;
  /** Uses that may still count. */
  holders = 0;
  private open = 0;
  private openMs = 0;
  private settledAt = 0;

  constructor(
    readonly accountId: string,
    readonly kind: UsageKind,
  ) {}

  begin(now: number): void {
    this.settle(now);
    this.open++;
    this.opened++;
  }

  end(now: number): void {
    this.settle(now);
    this.open--;
  }

  /** Takes the sums until `now`, in whole milliseconds; undefined for none. Counting restarts at 0. */
  take(now: number): TallyCounts | undefined {
    this.settle(now);
    const { opened, bytesToDevice, bytesFromDevice } = this;
    const openMs = Math.floor(this.openMs);
    if (openMs + opened + bytesToDevice + bytesFromDevice === 0) return undefined;
    this.openMs -= openMs;
    this.opened = this.bytesToDevice = this.bytesFromDevice = 0;
    const { accountId, kind } = this;
    return { accountId, kind, openMs, opened, bytesToDevice, bytesFromDevice };
  }

  private settle(now: number): void {
    if (this.open > 0) this.openMs += this.open * Math.max(0, now - this.settledAt);
    this.settledAt = Math.max(this.settledAt, now);
  }
}

export interface TallyCounts {
  accountId: string;
  kind: UsageKind;
  openMs: number;
  opened: number;
  bytesToDevice: number;
  bytesFromDevice: number;
}
