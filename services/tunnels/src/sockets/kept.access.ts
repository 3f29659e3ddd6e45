import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EventFollower } from '@warren/platform/events/event.follower';
import type { Event } from '@warren/platform/events/event';
import { isRestricted } from '@warren/platform/policy/policy';
import type { UserCaller } from '@warren/platform/rpc/caller';
import { DevicePermission } from '@warren/proto/common/v1/common';
import { AccessRights } from '../access/access.rights.ts';
import { Links } from '../links/links.ts';
import { KeptTerminals } from './kept.terminals.ts';

const RETRY_MS = 1_000;
const MAX_TRIES = 60;
const LOST = 'The user may not reach the device any more.';

/** Whose detached terminals to look at, and on which devices of an account. */
interface Question {
  key: string;
  users: () => Promise<UserCaller[]>;
  deviceIds?: ReadonlySet<string>;
}

/** Ends detached terminals that explicit grants no longer allow: nobody is attached whose session could end. */
@Injectable()
export class KeptAccess implements OnModuleInit, OnModuleDestroy {
  private readonly log = new Logger(KeptAccess.name);
  private readonly asking = new Set<string>();
  private readonly again = new Map<string, Question>();
  private unfollow: (() => void) | undefined;

  constructor(
    private readonly events: EventFollower,
    private readonly links: Links,
    private readonly kept: KeptTerminals,
    private readonly rights: AccessRights,
  ) {}

  onModuleInit(): void {
    this.unfollow = this.events.follow((event) => void this.hear(event));
  }

  onModuleDestroy(): void {
    this.unfollow?.();
  }

  private hear({ kind, accountId, actor }: Event): Promise<void> | undefined {
    const users = () => this.rights.restricted(accountId);
    switch (kind.case) {
      case 'accessChanged':
      case 'savedFilterChanged':
        return this.ask({ key: accountId, users });
      case 'userChanged': {
        const { userId, email } = kind.value;
        const one = async () => [await this.rights.member({ userId, email })].filter((user) => user !== undefined);
        return this.ask({ key: userId, users: one });
      }
      case 'devicesChanged':
        // Without an actor it is presence.
        return actor === '' ? undefined : this.ofDevices(kind.value.deviceIds, users);
      case 'deviceChanged':
        return actor === '' ? undefined : this.ofDevices([kind.value.deviceId], users);
      default:
        return undefined;
    }
  }

  private ofDevices(ids: readonly string[], users: Question['users']): Promise<void> | undefined {
    const linked = ids.filter((id) => this.links.get(id));
    return linked.length === 0 ? undefined : this.ask({ key: linked.join(), users, deviceIds: new Set(linked) });
  }

  /** Looks at the same once at a time; a change in between is another look. Never rejects. */
  private async ask(question: Question): Promise<void> {
    const { key } = question;
    if (this.asking.has(key)) return void this.again.set(key, question);
    this.asking.add(key);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      try {
        await this.look(question);
        break;
      } catch (error) {
        this.log.debug({ err: error }, 'Access to detached terminals could not be checked; again in a moment.');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
    this.asking.delete(key);
    const next = this.again.get(key);
    this.again.delete(key);
    if (next) await this.ask(next);
  }

  private async look({ users, deviceIds }: Question): Promise<void> {
    for (const user of await users()) {
      if (!isRestricted(user)) continue;
      const { userId, accountId } = user;
      const links = this.links.all().filter((link) => deviceIds?.has(link.deviceId) ?? link.accountId === accountId);
      const own = links.filter((link) => link.accountId === accountId).map((link) => link.deviceId);
      const allowed = await this.rights.permitted(user, DevicePermission.TERMINAL, { accountId, ids: own });
      const lost = new Set(links.map((link) => link.deviceId).filter((id) => !allowed.has(id)));
      await this.kept.endAll((link) => lost.has(link.deviceId), { userId }, LOST);
    }
  }
}
