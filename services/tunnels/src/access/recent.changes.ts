import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EventFollower } from '@warren/platform/events/event.follower';
import type { UserCaller } from '@warren/platform/rpc/caller';

/** Longer than a socket token is good for: one that was made before a change may be redeemed after it. */
const KEPT_MS = 90_000;

/** Remembers whose access has changed lately, by account and by user. */
@Injectable()
export class RecentAccessChanges implements OnModuleInit, OnModuleDestroy {
  private readonly changed = new Map<string, number>();
  private readonly started = performance.now();
  private stop: (() => void) | undefined;

  constructor(private readonly events: EventFollower) {}

  onModuleInit(): void {
    this.stop = this.events.follow(({ kind }) => {
      if (kind.case === 'accessChanged' || kind.case === 'savedFilterChanged') this.add(kind.value.accountId);
      else if (kind.case === 'userChanged') this.add(kind.value.userId);
    });
  }

  onModuleDestroy(): void {
    this.stop?.();
  }

  /** Whether what is known of a user may be older than a change. */
  concern({ accountId, userId }: Pick<UserCaller, 'accountId' | 'userId'>): boolean {
    return [accountId, userId].some((id) => performance.now() - (this.changed.get(id) ?? -Infinity) < KEPT_MS);
  }

  /** Whether a change may have happened before this process listened. */
  get mayLack(): boolean {
    return performance.now() - this.started < KEPT_MS;
  }

  private add(id: string): void {
    const now = performance.now();
    for (const [known, at] of this.changed) if (now - at > KEPT_MS) this.changed.delete(known);
    this.changed.set(id, now);
  }
}
