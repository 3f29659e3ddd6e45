import { Fault } from '@warren/platform/errors/fault';

/** Counts that one process makes at the same time: each holds a connection of the database for up to seconds. */
const MOST = 6;
/** Those of one account, so that it can't starve others. */
const OF_ACCOUNT = 3;
const RETRY_AFTER_S = 2;

/** Bounds how many counts of what grants reach a process makes at the same time. */
export class ReachSlots {
  private total = 0;
  private readonly byAccount = new Map<string, number>();

  /** Does work in a slot of an account. @throws Fault `resource_exhausted` without a free one; else as the work */
  async hold<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    if (this.total >= MOST || this.of(accountId) >= OF_ACCOUNT)
      throw new Fault('resource_exhausted', 'counts of what grants reach at once.', { retryAfter: RETRY_AFTER_S });
    this.count(accountId, 1);
    try {
      return await work();
    } finally {
      this.count(accountId, -1);
    }
  }

  private of(accountId: string): number {
    return this.byAccount.get(accountId) ?? 0;
  }

  private count(accountId: string, by: 1 | -1): void {
    this.total += by;
    const count = this.of(accountId) + by;
    if (count === 0) this.byAccount.delete(accountId);
    else this.byAccount.set(accountId, count);
  }
}
