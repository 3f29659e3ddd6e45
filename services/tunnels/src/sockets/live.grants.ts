import { Injectable } from '@nestjs/common';
import type { Grant } from './grant.ts';

/** Somebody who may read another person's terminal without consent. */
interface Observer {
  readonly observes: boolean;
  /** Ends what the account does not allow any more. @throws Fault if that can't be read */
  recheck(): Promise<void>;
}

/** A grant in use: an open terminal, desktop, journal or web service of a user through this replica. */
export interface LiveGrant {
  grant: Grant;
  /** True while it is in use: a stop of this process waits a moment for it. */
  readonly active: boolean;
  /** Time of the last input by its user, by `performance.now()`; absent where a page's own traffic looks the same. */
  readonly lastInputAt?: number;
  /** Its part in a terminal that several people share. */
  readonly membership?: Observer;
  /** Ends it and its programs, because its user has lost the right. */
  withdraw(reason: string): Promise<void>;
  /** Makes the browser reconnect elsewhere; terminals live on at the agent. */
  release(reason: string): void;
  /** Ends it because its session has ended; the user's terminals live on at the agent. */
  signOut(reason: string): void;
}

/** All grants in use at this replica, of every kind. */
@Injectable()
export class LiveGrants {
  private readonly live = new Set<LiveGrant>();

  /** How many of them are active. */
  get active(): number {
    return this.all().filter((one) => one.active).length;
  }

  all(): LiveGrant[] {
    return [...this.live];
  }

  /** @returns its undo, to call at its end */
  add(grant: LiveGrant): () => void {
    this.live.add(grant);
    return () => void this.live.delete(grant);
  }

  /** Ends matching grants and their programs. */
  async withdraw(reason: string, of: (grant: Grant) => boolean): Promise<void> {
    const ended = this.all().filter(({ grant }) => of(grant));
    await Promise.all(ended.map((one) => one.withdraw(reason)));
  }

  /** Ends matching grants, and keeps their terminals at the agents. */
  signOut(reason: string, of: (grant: Grant) => boolean): void {
    for (const one of this.all()) if (of(one.grant)) one.signOut(reason);
  }

  /** Makes every browser reconnect elsewhere. */
  release(reason: string): void {
    for (const one of this.live) one.release(reason);
  }
}
