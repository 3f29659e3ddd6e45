import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { EventFollower } from '@warren/platform/events/event.follower';
import type { Event } from '@warren/platform/events/event';
import { may } from '@warren/platform/policy/policy';
import { Credentials } from '../links/credentials.ts';
import { Links } from '../links/links.ts';
import type { Grant } from './admission.ts';
import { TerminalServer } from './terminal.server.ts';

const RETRY_MS = 500;

/** Ends terminals and links at once when the right to them is withdrawn anywhere. */
@Injectable()
export class Withdrawal implements OnModuleInit, OnModuleDestroy {
  private readonly log = new Logger(Withdrawal.name);
  private readonly checking = new Set<string>();
  private readonly again = new Set<string>();
  private stop: (() => void) | undefined;

  constructor(
    private readonly events: EventFollower,
    private readonly terminals: TerminalServer,
    private readonly links: Links,
    private readonly credentials: Credentials,
  ) {}

  onModuleInit(): void {
    this.stop = this.events.follow((event) => void this.handle(event));
  }

  onModuleDestroy(): void {
    this.stop?.();
  }

  private async handle({ kind }: Event): Promise<void> {
    switch (kind.case) {
      case 'accountChanged':
        return kind.value.active ? undefined : this.account(kind.value.accountId, 'The account is disabled.');
      case 'accountDeleted':
        return this.account(kind.value.accountId, 'The account is deleted.');
      case 'userChanged':
        return kind.value.active ? undefined : this.user(kind.value.userId, 'The user is disabled.');
      case 'userDeleted':
        return this.user(kind.value.userId, 'The user is deleted.');
      case 'deviceDeleted':
        return this.deleted(kind.value.deviceId);
      case 'deviceChanged':
        return this.changed(kind.value.deviceId, kind.value.previousAccountId !== '');
      default:
        return undefined;
    }
  }

  private account(accountId: string, reason: string): Promise<void> {
    return this.terminals.withdraw(
      reason,
      ({ user, deviceAccountId }) => user.accountId === accountId || deviceAccountId === accountId,
    );
  }

  private user(userId: string, reason: string): Promise<void> {
    return this.terminals.withdraw(reason, ({ user }) => user.userId === userId);
  }

  private device(deviceId: string, reason: string): Promise<void> {
    return this.terminals.withdraw(reason, (grant) => grant.deviceId === deviceId);
  }

  private async deleted(deviceId: string): Promise<void> {
    this.credentials.forget(deviceId);
    await this.device(deviceId, 'The device is deleted.');
    this.links.get(deviceId)?.destroy();
  }

  /** One question at a time for each device; a change that comes meanwhile is asked about after it. */
  private async changed(deviceId: string, moved = false): Promise<void> {
    this.credentials.forget(deviceId);
    if (!this.concerns(deviceId) && !(moved && this.links.get(deviceId))) return;
    if (this.checking.has(deviceId)) return void this.again.add(deviceId);
    this.checking.add(deviceId);
    const done = await this.check(deviceId);
    this.checking.delete(deviceId);
    const more = this.again.delete(deviceId);
    if (!done) setTimeout(() => void this.changed(deviceId, true), RETRY_MS).unref();
    else if (more) await this.changed(deviceId, true);
  }

  /** Those who may reach the device in its new account as well stay. */
  private async moved(deviceId: string, accountId: string): Promise<void> {
    const link = this.links.get(deviceId);
    if (link) link.accountId = accountId;
    const reaches = ({ user }: Grant) => may(user, 'devices.open', accountId);
    for (const { grant } of this.terminals.all())
      if (grant.deviceId === deviceId && reaches(grant)) grant.deviceAccountId = accountId;
    await this.terminals.withdraw(
      'The device was moved to another account.',
      (grant) => grant.deviceId === deviceId && grant.deviceAccountId !== accountId,
    );
  }

  private concerns(deviceId: string): boolean {
    return this.terminals.all().some(({ grant }) => grant.deviceId === deviceId);
  }

  /** False when nobody could say. */
  private async check(deviceId: string): Promise<boolean> {
    try {
      const { accountId, sshEnabled } = await this.credentials.refresh(deviceId);
      if (!sshEnabled) await this.device(deviceId, 'The console of the device was disabled.');
      await this.moved(deviceId, accountId);
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
