import type { Grant } from '../sockets/grant.ts';
import type { LiveGrant } from '../sockets/live.grants.ts';
import type { StoredGrant } from './web.grants.ts';
import { VisitTraffic } from './web.visits.ts';

/** What is torn when the right ends: connections of the browser, whatever runs on them. */
interface Running {
  destroy(): unknown;
}

/** One browser's right to the web services of one device, as this replica has seen it. */
export class WebSession implements LiveGrant {
  /** By `performance.now()`: when the right was last found to be there, and when it was last made use of. */
  checkedAt = performance.now();
  usedAt = performance.now();
  /** When its life in Redis was last prolonged. */
  touchedAt = performance.now();
  checking: Promise<void> | undefined;
  /** Events so far that may have changed the right. */
  changes = 0;
  ended = false;
  /** Traffic of its current visit. */
  traffic = new VisitTraffic();
  private readonly running = new Set<Running>();

  constructor(
    /** Hash of the secret. */
    readonly id: string,
    readonly stored: StoredGrant,
    readonly grant: Grant,
    private readonly onEnd: (session: WebSession, reason: string) => Promise<void>,
  ) {}

  /** A page that is only looked at delays no drain: what runs is cut off with the replica and comes again by another. */
  get active(): boolean {
    return false;
  }

  get isRunning(): boolean {
    return this.running.size > 0;
  }

  /** Ties something to the right. @returns its undo */
  bind(running: Running): () => void {
    if (this.ended) {
      running.destroy();
      return () => {};
    }
    this.running.add(running);
    return () => void this.running.delete(running);
  }

  /** Removes the grant before it cuts what runs, so that a browser that asks again finds none, even if the right is back by then. */
  async withdraw(reason: string): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await this.onEnd(this, reason);
    this.release();
  }

  signOut(reason: string): void {
    void this.withdraw(reason);
  }

  release(): void {
    this.ended = true;
    for (const running of this.running) running.destroy();
    this.running.clear();
  }
}
