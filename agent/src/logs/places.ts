/** A limited number of slots, each held until its signal aborts or it is released. */
export class Places {
  private free: number;

  constructor(count: number) {
    this.free = count;
  }

  /** @returns a function that releases the slot; undefined when none is free */
  take(signal: AbortSignal): (() => void) | undefined {
    if (this.free === 0 || signal.aborted) return undefined;
    this.free--;
    let kept = true;
    const release = () => {
      signal.removeEventListener('abort', release);
      if (kept) this.free++;
      kept = false;
    };
    signal.addEventListener('abort', release, { once: true });
    return release;
  }
}
