import type { Grant } from '../sockets/grant.ts';
import type { OpenSession } from '../sockets/open.sessions.ts';

/** What is torn when the right ends: connections of the browser, whatever runs on them. */
interface Running {
  destroy(): unknown;
}

/** What of a grant outlives this process: in Redis, under the hash of the secret. */
export interface StoredGrant {
  user: { userId: string; email: string };
  deviceId: string;
  slug: string;
  /** Hash of the browser session that it was opened from. */
  session: string;
  /** Whether it is used in a frame of another site, where browsers keep partitioned cookies only. */
  thirdParty: boolean;
  /** Milliseconds since 1970. */
  created: number;
}

/** One browser's right to the web pages of one device, as this replica has seen it. */
export class WebSession implements OpenSession {
  /** By `performance.now()`: when the right was last found to be there, and when it was last made use of. */
  checkedAt = performance.now();
  usedAt = performance.now();
  /** When its life in Redis was last prolonged. */
  touchedAt = performance.now();
  checking: Promise<void> | undefined;
  ended = false;
  private readonly running = new Set<Running>();

  constructor(
    /** Hash of the secret. */
    readonly id: string,
    readonly stored: StoredGrant,
    readonly grant: Grant,
    private readonly onEnd: (session: WebSession, reason: string) => Promise<void>,
  ) {}

  /** A page that is only looked at holds up nothing: what runs is cut off with the replica and comes again by another. */
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

  async withdraw(reason: string): Promise<void> {
    if (this.ended) return;
    this.release();
    await this.onEnd(this, reason);
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
