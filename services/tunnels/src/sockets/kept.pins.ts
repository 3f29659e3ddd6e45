import { Code, ConnectError } from '@connectrpc/connect';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EventFollower } from '@warren/platform/events/event.follower';
import type { Event } from '@warren/platform/events/event';
import { may } from '@warren/platform/policy/policy';
import { DevicePermission } from '@warren/proto/common/v1/common';
import type { PinOwner } from '@warren/proto/agent/v1/agent';
import { AccessRights } from '../access/access.rights.ts';
import { DAY_S, PinLimits } from '../access/pin.limits.ts';
import type { AgentLink } from '../links/link.ts';
import { Links } from '../links/links.ts';

const ANSWER_MS = 5_000;
const RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;
const AT_ONCE = 64;
/** More than an agent has terminals; its answer is untrusted. */
const MOST_OWNERS = 64;
const LOST = 'The user may not reach the device any more.';

/**
 * Pinned terminals outlive long breaks of the link: on each link of a device that has some, those of people who have lost the right
 * meanwhile end, and pins that are longer than the account allows become shorter. Both at once, too, when a user or what the account allows
 * changes.
 */
@Injectable()
export class KeptPins implements OnModuleInit, OnModuleDestroy {
  private readonly log = new Logger(KeptPins.name);
  /** Days by account, as last seen here. */
  private readonly limits = new Map<string, number>();
  private readonly checking = new Set<AgentLink>();
  private readonly again = new Set<AgentLink>();
  private readonly retries = new Map<AgentLink, NodeJS.Timeout>();
  private readonly owners = new WeakMap<AgentLink, ReadonlySet<string>>();
  private unfollow: (() => void) | undefined;

  constructor(
    private readonly events: EventFollower,
    private readonly links: Links,
    private readonly rights: AccessRights,
    private readonly pins: PinLimits,
  ) {}

  onModuleInit(): void {
    this.links.onAdded((link) => link.hasPins && void this.check(link));
    this.links.onMoved((link) => void this.check(link));
    this.unfollow = this.events.follow((event) => void this.hear(event));
  }

  onModuleDestroy(): void {
    this.unfollow?.();
    for (const retry of this.retries.values()) clearTimeout(retry);
  }

  /** Reads who has pinned terminals, after somebody has pinned one. */
  pinned(link: AgentLink): void {
    void this.check(link);
  }

  private async hear({ kind, accountId }: Event): Promise<void> {
    if (kind.case === 'userChanged') return this.ofUser(kind.value.userId);
    if (kind.case !== 'accessChanged') return;
    const links = this.links.all().filter((link) => link.accountId === accountId);
    if (links.length === 0) return void this.limits.delete(accountId);
    const limit = await this.pins.of(accountId).catch(() => undefined);
    // Grants change more often than this.
    if (limit !== undefined && limit === this.limits.get(accountId)) return;
    for (let at = 0; at < links.length; at += AT_ONCE)
      await Promise.all(links.slice(at, at + AT_ONCE).map((link) => this.check(link)));
    if (limit !== undefined) this.limits.set(accountId, limit);
  }

  /** Another role or account may take the right away. */
  private ofUser(userId: string): void {
    for (const link of this.links.all()) if (this.owners.get(link)?.has(userId)) void this.check(link);
  }

  /**
   * Checks a link once at a time; a change in between is another check. One that fails is repeated later, with backoff: nobody waits for a
   * device that answers nothing. Never rejects.
   */
  private async check(link: AgentLink, failures = 0): Promise<void> {
    if (this.checking.has(link)) return void this.again.add(link);
    clearTimeout(this.retries.get(link));
    this.retries.delete(link);
    this.checking.add(link);
    const isDone = await this.look(link);
    this.checking.delete(link);
    const isChanged = this.again.delete(link);
    if (!link.alive) return;
    if (isChanged) return this.check(link);
    if (isDone) return;
    const pause = Math.min(RETRY_MS * 2 ** failures, LONGEST_RETRY_MS);
    this.retries.set(link, setTimeout(() => void this.check(link, failures + 1), pause).unref());
  }

  /** @returns false if it was not possible now */
  private async look(link: AgentLink): Promise<boolean> {
    if (!link.alive) return true;
    try {
      const options = { timeoutMs: ANSWER_MS, signal: link.gone };
      const owners = (await link.agent.listPinOwners({}, options)).owners.slice(0, MOST_OWNERS);
      this.owners.set(link, new Set(owners.map(({ userId }) => userId)));
      if (owners.length === 0) return true;
      const limit = await this.pins.of(link.accountId);
      for (const owner of owners) {
        const { userId } = owner;
        if (!(await this.reaches(owner, link))) await link.agent.endTerminals({ userId, why: LOST }, options);
        else await link.agent.listTerminals({ userId, pinLimitS: limit * DAY_S }, options);
      }
      return true;
    } catch (error) {
      if (ConnectError.from(error).code === Code.Unimplemented) return true;
      this.log.debug({ device: link.deviceId, err: error }, 'Pinned terminals could not be checked; again later.');
      return false;
    }
  }

  private async reaches({ userId, userEmail: email }: PinOwner, { accountId, deviceId }: AgentLink): Promise<boolean> {
    const user = await this.rights.member({ userId, email });
    if (!user) return false;
    const ids = [deviceId];
    const permitted = await this.rights.permitted(user, DevicePermission.TERMINAL, { accountId, ids });
    return permitted.has(deviceId) || may(user, 'devices.open', accountId);
  }
}
