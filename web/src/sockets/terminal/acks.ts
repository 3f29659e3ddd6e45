const EVERY_BYTES = 64 * 1024;
const EVERY_MS = 50;

/** Batches acknowledgements of drawn output: one for each 64 KiB, or 50 ms after the first unacknowledged byte. */
export class Acks {
  private offset = 0;
  private acknowledged = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly send: (offset: number) => void) {}

  /** Everything before `offset` has been drawn. */
  reached(offset: number): void {
    this.offset = offset;
    if (offset - this.acknowledged >= EVERY_BYTES) this.flush();
    else if (offset > this.acknowledged) this.timer ??= setTimeout(() => this.flush(), EVERY_MS);
  }

  /** Restarts at `offset` after a reconnect. */
  restart(offset: number): void {
    this.stop();
    this.offset = offset;
    this.acknowledged = offset;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private flush(): void {
    this.stop();
    this.acknowledged = this.offset;
    this.send(this.offset);
  }
}
