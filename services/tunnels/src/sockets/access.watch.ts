import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EventFollower } from '@warren/platform/events/event.follower';
import type { Event } from '@warren/platform/events/event';
import { rightsOn, has } from '@warren/platform/policy/device.access';
import { AccessRights } from '../access/access.rights.ts';
import { RecentAccessChanges } from '../access/recent.changes.ts';
import { permissionOf, type Grant } from './grant.ts';
import { LiveGrants, type LiveGrant } from './live.grants.ts';

const TICK_MS = 500;
/** How often what depends on grants is checked without an event: a lost event, or a fact that a filter selects by. */
const FRESH_MS = 10_000;
const RETRY_MS = 500;
const LOST = 'You may not reach the device any more.';

/**
 * Ends what a grant has allowed when it does no longer: withdrawn, expired, or without its device, whose labels or whose saved filter have
 * changed; when the user has moved to another group, the account has switched its access mode, or allows no observers any more.
 */
@Injectable()
export class AccessWatch implements OnModuleInit, OnModuleDestroy {
  private readonly log = new Logger(AccessWatch.name);
  /** When each was checked, by `performance.now()`; those that are not there are new. */
  private readonly checkedAt = new WeakMap<LiveGrant, number>();
  private readonly due = new Set<LiveGrant>();
  private running = false;
  private waitUntil = 0;
  private timer: NodeJS.Timeout | undefined;
  private unfollow: (() => void) | undefined;

  constructor(
    private readonly events: EventFollower,
    private readonly grants: LiveGrants,
    private readonly rights: AccessRights,
    private readonly recent: RecentAccessChanges,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
    this.unfollow = this.events.follow((event) => this.hear(event));
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.unfollow?.();
  }

  private hear({ kind }: Event): void {
    switch (kind.case) {
      case 'accessChanged':
        return this.mark(({ grant: { user } }) => user.accountId === kind.value.accountId);
      case 'savedFilterChanged':
        // Grants may name it, and find other devices now.
        return this.mark(({ grant }) => grant.user.accountId === kind.value.accountId && !isByRole(grant));
      case 'userChanged':
        return this.mark(({ grant: { user } }) => user.userId === kind.value.userId);
      case 'deviceChanged':
        return this.mark((one) => one.grant.deviceId === kind.value.deviceId && !isLasting(one));
      case 'devicesChanged': {
        const ids = new Set(kind.value.deviceIds);
        return this.mark((one) => ids.has(one.grant.deviceId) && !isLasting(one));
      }
      default:
        return undefined;
    }
  }

  private mark(of: (one: LiveGrant) => boolean): void {
    for (const one of this.grants.all()) if (of(one)) this.due.add(one);
    void this.run();
  }

  /** Finds what has expired, what was opened during a change, and what was not checked for long. */
  private tick(): void {
    const now = performance.now();
    for (const one of this.grants.all()) {
      const checkedAt = this.checkedAt.get(one);
      if (checkedAt === undefined) {
        this.checkedAt.set(one, now);
        if (this.recent.mayLack || this.recent.concern(one.grant.user)) this.due.add(one);
      } else if (isExpired(one) || (!isLasting(one) && now - checkedAt > FRESH_MS)) this.due.add(one);
    }
    void this.run();
  }

  /** One at a time. Never rejects. */
  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    while (this.due.size > 0 && performance.now() >= this.waitUntil) {
      const open = new Set(this.grants.all());
      const batch = [...this.due].filter((one) => open.has(one));
      this.due.clear();
      const people = Map.groupBy(batch, ({ grant: { user } }) => `${user.userId} ${user.token?.id ?? ''}`);
      await Promise.all([...people.values()].map((theirs) => this.checkAll(theirs)));
    }
    this.running = false;
  }

  /** Checks what one user has opened, by one of their API tokens or by none. While it can't be checked it stays, unless it has expired. */
  private async checkAll(theirs: LiveGrant[]): Promise<void> {
    const [first] = theirs;
    // A web session that was never used: its own check comes first.
    if (!first || first.grant.user.accountId === '') return;
    try {
      const user = await this.rights.member(first.grant.user);
      if (!user) return await this.withdraw(theirs);
      for (const [key, group] of Map.groupBy(theirs, ({ grant }) => `${grant.kind} ${grant.deviceAccountId}`)) {
        const accountId = key.slice(key.indexOf(' ') + 1);
        const [one] = group;
        if (!one) continue;
        const ids = [...new Set(group.map(({ grant }) => grant.deviceId))];
        const permitted = await this.rights.permitted(user, permissionOf(one.grant.kind), { accountId, ids });
        const lost = group.filter(({ grant }) => !permitted.has(grant.deviceId));
        for (const live of group) {
          live.grant.user = user;
          live.grant.until = permitted.get(live.grant.deviceId)?.until;
          this.checkedAt.set(live, performance.now());
        }
        await this.withdraw(lost);
        await Promise.all(group.filter((live) => !lost.includes(live)).map((live) => live.membership?.recheck()));
      }
    } catch (error) {
      this.log.debug({ err: error, user: first.grant.user.userId }, 'Access could not be checked; again in a moment.');
      const expired = theirs.filter(isExpired);
      await this.withdraw(expired);
      for (const one of theirs) if (!expired.includes(one)) this.due.add(one);
      this.waitUntil = performance.now() + RETRY_MS;
    }
  }

  private async withdraw(lost: readonly LiveGrant[]): Promise<void> {
    await Promise.all(lost.map((one) => one.withdraw(LOST)));
  }
}

function isExpired({ grant }: LiveGrant): boolean {
  return grant.until !== undefined && grant.until <= Date.now();
}

/** Only an event can end it: it depends on no grant, and not on the account's policy for observers. */
const isLasting = (one: LiveGrant) => isByRole(one.grant) && !one.membership?.observes;

/** The role gives it, so that it does not end with a grant. */
function isByRole({ user, kind, deviceAccountId }: Grant): boolean {
  return has(rightsOn(user, deviceAccountId, []), permissionOf(kind));
}
