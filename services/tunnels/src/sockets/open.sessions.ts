import { Injectable } from '@nestjs/common';
import type { Grant } from './grant.ts';

/** Something that a person has open on a device through this replica. */
export interface OpenSession {
  grant: Grant;
  /** True while it is in use: a stop of this process waits a moment for it. */
  readonly active: boolean;
  /** Time of the last input by its user, by `performance.now()`; absent where a page's own traffic looks the same. */
  readonly lastInputAt?: number;
  /** Ends it and what runs in it, since its user may not go on. */
  withdraw(reason: string): Promise<void>;
  /** Lets the browser come back elsewhere; what belongs to the agent lives on there. */
  release(reason: string): void;
  /** Ends it since its browser session has ended; what belongs to the agent lives on there for its person. */
  signOut(reason: string): void;
}

/** All that is open through this replica, of every kind. */
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

  /** @returns its undo, for when the session has ended */
  add(session: OpenSession): () => void {
    this.sessions.add(session);
    return () => void this.sessions.delete(session);
  }

  /** Ends the sessions that the test is true of, and what runs in them. */
  async withdraw(reason: string, of: (grant: Grant) => boolean): Promise<void> {
    const ended = this.all().filter(({ grant }) => of(grant));
    await Promise.all(ended.map((session) => session.withdraw(reason)));
  }

  /** Ends the sessions that the test is true of, and leaves what belongs to the agents. */
  signOut(reason: string, of: (grant: Grant) => boolean): void {
    for (const session of this.all()) if (of(session.grant)) session.signOut(reason);
  }

  /** Sends every browser away. */
  release(reason: string): void {
    for (const session of this.sessions) session.release(reason);
  }
}
