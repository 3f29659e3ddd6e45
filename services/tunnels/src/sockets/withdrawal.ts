import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { EventFollower } from '@warren/platform/events/event.follower';
import type { Event } from '@warren/platform/events/event';
import { may } from '@warren/platform/policy/policy';
import type { GuestLinkChanged } from '@warren/proto/events/v1/events';
import { Credentials, type Credential } from '../links/credentials.ts';
import { isOtherHardware } from '../links/hardware.ts';
import { Links } from '../links/links.ts';
import { SharedKeys } from '../links/shared.keys.ts';
import { switchedOff, type Grant } from './grant.ts';
import { KeptTerminals } from './kept.terminals.ts';
import { LiveGrants } from './live.grants.ts';

const RETRY_MS = 500;
/** Longer than an agent needs to redial. */
const LEAVE_MS = 10_000;
const GUEST_ENDED = 'The guest access has ended.';

/** Ends sessions and links at once when the right to them is withdrawn anywhere. */
@Injectable()
export class Withdrawal implements OnModuleInit, OnModuleDestroy {
  private readonly log = new Logger(Withdrawal.name);
  private readonly checking = new Set<string>();
  private readonly again = new Set<string>();
  private stop: (() => void) | undefined;

  constructor(
    private readonly events: EventFollower,
    private readonly grants: LiveGrants,
    private readonly kept: KeptTerminals,
    private readonly links: Links,
    private readonly credentials: Credentials,
    private readonly sharedKeys: SharedKeys,
  ) {}

  onModuleInit(): void {
    this.stop = this.events.follow((event) => void this.handle(event));
  }

  onModuleDestroy(): void {
    this.stop?.();
  }

  private async handle({ kind, actor }: Event): Promise<void> {
    switch (kind.case) {
      case 'accountChanged':
        return kind.value.active ? undefined : this.account(kind.value.accountId, 'The account is disabled.');
      case 'accountDeleted':
        return this.account(kind.value.accountId, 'The account is deleted.');
      case 'userChanged':
        return kind.value.active ? undefined : this.user(kind.value.userId, 'The user is disabled.');
      case 'userDeleted':
        return this.user(kind.value.userId, 'The user is deleted.');
      case 'guestLinkChanged':
        return this.guests(kind.value);
      case 'deviceDeleted':
        return this.deleted(kind.value.deviceId);
      case 'deviceChanged':
        // Without an actor, such as for a report of the device itself, rights of absent users stay.
        return this.changed(kind.value.deviceId, kind.value.previousAccountId !== '' || actor !== '');
      default:
        return undefined;
    }
  }

  private async account(accountId: string, reason: string): Promise<void> {
    await this.grants.withdraw(
      reason,
      ({ user, deviceAccountId }) => user.accountId === accountId || deviceAccountId === accountId,
    );
    await this.kept.endAll((link) => link.accountId === accountId, {}, reason);
  }

  private async user(userId: string, reason: string): Promise<void> {
    await this.grants.withdraw(reason, ({ user }) => user.userId === userId);
    await this.kept.endAll(() => true, { userId }, reason);
  }

  private async guests({ deviceId, endedGuests }: GuestLinkChanged): Promise<void> {
    const ended = new Set(endedGuests);
    if (ended.size === 0) return;
    await this.grants.withdraw(GUEST_ENDED, ({ user }) => user.guest !== undefined && ended.has(user.guest.id));
    for (const userId of ended) await this.kept.end(deviceId, { userId }, GUEST_ENDED);
  }

  private device(deviceId: string, reason: string): Promise<void> {
    return this.grants.withdraw(reason, (grant) => grant.deviceId === deviceId);
  }

  private async deleted(deviceId: string): Promise<void> {
    this.credentials.forget(deviceId);
    await this.device(deviceId, 'The device is deleted.');
    await this.kept.end(deviceId, {}, 'The device is deleted.');
    this.links.get(deviceId)?.destroy();
  }

  /** Checks one change at a time per device; a change in between triggers another check. */
  private async changed(deviceId: string, byHand = false): Promise<void> {
    this.credentials.forget(deviceId);
    if (!this.concerns(deviceId) && !(byHand && this.links.get(deviceId))) return;
    if (this.checking.has(deviceId)) return void this.again.add(deviceId);
    this.checking.add(deviceId);
    const done = await this.check(deviceId);
    this.checking.delete(deviceId);
    const more = this.again.delete(deviceId);
    if (!done) setTimeout(() => void this.changed(deviceId, true), RETRY_MS).unref();
    else if (more) await this.changed(deviceId, true);
  }

  /** Ends the sessions of a switch that is off. */
  private async switched(deviceId: string, device: Credential): Promise<void> {
    const kinds = new Set(this.grants.all().map(({ grant }) => grant.kind));
    for (const kind of kinds) {
      const off = switchedOff(kind, device);
      if (off) await this.grants.withdraw(off, (grant) => grant.deviceId === deviceId && grant.kind === kind);
    }
    const consoleOff = switchedOff('terminal', device);
    if (consoleOff) await this.kept.end(deviceId, {}, consoleOff);
  }

  /** Keeps the sessions of users who may reach the device in its new account. */
  private async moved(deviceId: string, accountId: string): Promise<void> {
    const link = this.links.get(deviceId);
    const before = link?.accountId ?? accountId;
    if (link) this.links.move(link, accountId);
    const reaches = ({ user }: Grant) => may(user, 'devices.open', accountId);
    for (const { grant } of this.grants.all())
      if (grant.deviceId === deviceId && reaches(grant)) grant.deviceAccountId = accountId;
    const reason = 'The device was moved to another account.';
    const gone = (grant: Grant) => grant.deviceId === deviceId && grant.deviceAccountId !== accountId;
    await this.grants.withdraw(reason, gone);
    if (before === accountId) return;
    const stay = this.grants.all().filter(({ grant }) => grant.deviceId === deviceId && !gone(grant));
    await this.kept.end(deviceId, { except: stay.map(({ grant }) => grant.user.userId) }, reason);
  }

  /** Makes the agent redial with its new key. Closes the link of one that does not leave. */
  private leave(deviceId: string, { key }: Credential): void {
    const link = this.links.get(deviceId);
    if (!link || link.key === key) return;
    link.goAway();
    setTimeout(() => link.destroy(), LEAVE_MS).unref();
  }

  /** Other hardware has become the device, or has had its key. */
  private async otherHardware(deviceId: string, device: Credential): Promise<void> {
    const link = this.links.get(deviceId);
    if (!link) return;
    if (!isOtherHardware(link.serial, device)) return void this.sharedKeys.replace(link, device);
    const reason = 'Another machine is this device now.';
    await this.device(deviceId, reason);
    await this.kept.end(deviceId, {}, reason);
    link.destroy();
  }

  private concerns(deviceId: string): boolean {
    return this.grants.all().some(({ grant }) => grant.deviceId === deviceId);
  }

  /** False if the check was not possible. */
  private async check(deviceId: string): Promise<boolean> {
    try {
      const device = await this.credentials.refresh(deviceId);
      await this.switched(deviceId, device);
      await this.otherHardware(deviceId, device);
      this.leave(deviceId, device);
      await this.moved(deviceId, device.accountId);
      return true;
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') {
        await this.deleted(deviceId);
        return true;
      }
      this.log.warn({ device: deviceId, err: error }, 'A changed device could not be checked; again in a moment.');
      return false;
    }
  }
}
