import { Injectable } from '@nestjs/common';
import type { Grant } from './grant.ts';

/** An open terminal, desktop, journal or web service of a user through this replica. */
export interface OpenSession {
  grant: Grant;
  /** True while it is in use: a stop of this process waits a moment for it. */
  readonly active: boolean;
  /** Time of the last input by its user, by `performance.now()`; absent where a page's own traffic looks the same. */
  readonly lastInputAt?: number;
  /** Ends it and its programs, because its user has lost the right. */
  withdraw(reason: string): Promise<void>;
  /** Makes the browser reconnect elsewhere; terminals live on at the agent. */
  release(reason: string): void;
  /** Ends it because its browser session has ended; the user's terminals live on at the agent. */
  signOut(reason: string): void;
}

/** All open sessions of this replica, of every kind. */
@Injectable()
export class OpenSessions {
  private readonly sessions = new Set<OpenSession>();

  /** Sessions in use. */
  get active(): number {
    return this.all().filter((session) => session.active).length;
  }

  all(): OpenSession[] {
    return [...this.sessions];
  }

  /** @returns its undo, to call when the session has ended */
  add(session: OpenSession): () => void {
    this.sessions.add(session);
    return () => void this.sessions.delete(session);
  }

  /** Ends matching sessions and their programs. */
  async withdraw(reason: string, of: (grant: Grant) => boolean): Promise<void> {
    const ended = this.all().filter(({ grant }) => of(grant));
    await Promise.all(ended.map((session) => session.withdraw(reason)));
  }

  /** Ends matching sessions, and keeps their terminals at the agents. */
  signOut(reason: string, of: (grant: Grant) => boolean): void {
    for (const session of this.all()) if (of(session.grant)) session.signOut(reason);
  }

  /** Makes every browser reconnect elsewhere. */
  release(reason: string): void {
    for (const session of this.sessions) session.release(reason);
  }
}
