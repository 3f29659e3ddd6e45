const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;

/** Repeats a refresh: after a failure with growing delays, otherwise in the usual interval. */
export class RefreshLoop {
  private failures = 0;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  /**
   * @param everyMs milliseconds between refreshes that succeed
   * @param refresh resolves to the problem; undefined for none
   */
  constructor(
    private readonly everyMs: number,
    private readonly refresh: () => Promise<unknown>,
  ) {}

  /** Schedules the next refresh. @param problem of the last one; undefined for none */
  schedule(problem: unknown): void {
    if (this.stopped) return;
    this.failures = problem === undefined ? 0 : this.failures + 1;
    const retry = Math.min(FIRST_RETRY_MS * 2 ** Math.min(this.failures - 1, 10), MAX_RETRY_MS);
    const delay = this.failures > 0 ? Math.min(retry, this.everyMs) : this.everyMs;
    this.timer = setTimeout(() => void this.refresh().then((next) => this.schedule(next)), delay);
    this.timer.unref();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }
}
