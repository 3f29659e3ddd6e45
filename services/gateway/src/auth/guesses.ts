import { Injectable } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { Identity } from './provider.identity.ts';

/** Sessions that are remembered, a few hundred bytes each. */
const MOST = 20_000;

/** Whom a session was found to be when it was read last. */
export interface Guess {
  person: { email: string; name: string; identity?: Identity };
  /** Absent for somebody without access. */
  caller: Caller | undefined;
}

/**
 * What the last reading of each session gave. It decides nothing: by it the next request asks for what it will need while it is found out who
 * asks, and takes such an answer only when that turns out to be the same.
 */
@Injectable()
export class Guesses {
  private readonly last = new LRUCache<string, Guess>({ max: MOST });

  of(secret: string): Guess | undefined {
    return this.last.get(keyOf(secret));
  }

  keep(secret: string, guess: Guess): void {
    this.last.set(keyOf(secret), guess);
  }

  forget(secret: string): void {
    this.last.delete(keyOf(secret));
  }
}

/** Secrets themselves are kept nowhere. */
function keyOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
