/** Maximum numbers of queued items. */
export interface QueueLimits {
  perClient: number;
  all: number;
}

/** Serves clients round-robin, so that a busy client delays only itself. Bounded per client and in total. */
export class FairQueue<T> {
  private readonly waiting = new Map<string, T[]>();
  private total = 0;

  constructor(private readonly limits: QueueLimits) {}

  get size(): number {
    return this.total;
  }

  /**
   * Queues an item. A full queue drops the newest item of the client with the most.
   * @returns the dropped item, which may be this one
   */
  add(client: string, item: T): T | undefined {
    const mine = this.waiting.get(client)?.length ?? 0;
    if (mine >= this.limits.perClient) return item;
    const evicted = this.total >= this.limits.all ? this.evict(mine) : undefined;
    if (this.total >= this.limits.all) return item;
    this.waiting.set(client, [...(this.waiting.get(client) ?? []), item]);
    this.total++;
    return evicted;
  }

  /** Removes and returns the next item. */
  next(): T | undefined {
    const [first] = this.waiting;
    if (!first) return undefined;
    const [client, [item, ...rest]] = first;
    this.waiting.delete(client);
    if (rest.length > 0) this.waiting.set(client, rest);
    this.total--;
    return item;
  }

  /** Drops the newest item of the client with the most, if that is more than this one would have. */
  private evict(mine: number): T | undefined {
    let longest: T[] = [];
    for (const items of this.waiting.values()) if (items.length > longest.length) longest = items;
    if (longest.length <= mine + 1) return undefined;
    this.total--;
    return longest.pop();
  }
}
