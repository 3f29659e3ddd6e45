const MOST = 5_000;

/** What this process knows to be in the audit trail, for some time. */
export class Noted {
  private readonly until = new Map<string, number>();

  constructor(private readonly ms: number) {}

  has(key: string): boolean {
    return (this.until.get(key) ?? 0) > performance.now();
  }

  /** Forgets the others when there are too many: their next events come early. */
  add(key: string): void {
    if (this.until.size >= MOST) this.until.clear();
    this.until.set(key, performance.now() + this.ms);
  }
}
