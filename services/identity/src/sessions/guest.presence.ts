import { Injectable } from '@nestjs/common';
import { reach } from '@warren/platform/redis/commit';
import { RedisLink } from '@warren/platform/redis/redis.module';

/** Longer than tunnels waits between two checks of a session with open sockets. */
const SEEN_MS = 15_000;

const openKey = (guest: string) => `identity:guest-open:${guest}`;

/** Which guests have their device open: those whose sessions tunnels keeps checking. */
@Injectable()
export class GuestPresence {
  constructor(private readonly redis: RedisLink) {}

  /** Notes guests who have their device open. */
  async note(guests: readonly string[]): Promise<void> {
    if (guests.length === 0) return;
    const writes = this.redis.client.pipeline();
    for (const guest of guests) writes.set(openKey(guest), '1', 'PX', SEEN_MS);
    await reach(writes.exec());
  }

  /** Those of some guests who have it open. */
  async live(guests: readonly string[]): Promise<Set<string>> {
    if (guests.length === 0) return new Set();
    const found = await reach(this.redis.client.mget(guests.map(openKey)));
    return new Set(guests.filter((_guest, at) => found[at] !== null));
  }

  /** Forgets guests whose link has ended. */
  async forget(guests: readonly string[]): Promise<void> {
    if (guests.length > 0) await reach(this.redis.client.del(guests.map(openKey)));
  }
}
