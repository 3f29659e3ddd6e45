import { Inject, Injectable } from '@nestjs/common';
import { quotaReached } from '@warren/platform/quotas/quotas';
import { limitsWith, type QuotaLimits } from '@warren/rules/quotas';
import type { EntityManager } from 'typeorm';
import { countDevicesOf, hasOneAway, lockAccount, type HeldAccount } from './quotas.sql.ts';

/** Injects the quotas of accounts without their own. */
export const QUOTA_DEFAULTS = Symbol('QuotaDefaults');

/** How many devices an account may have. */
@Injectable()
export class DevicesQuota {
  constructor(@Inject(QUOTA_DEFAULTS) private readonly defaults: QuotaLimits) {}

  /**
   * Locks the account that is about to get a device, so that no other enters before the transaction ends.
   * @returns undefined for a deleted account
   */
  hold(manager: EntityManager, id: string): Promise<HeldAccount | undefined> {
    return lockAccount(manager, id);
  }

  /**
   * Requires room for a device before it is added. A device that was set up again comes as a second entry, which replaces the first
   * one later: it needs no room.
   * @param account as {@link hold} gives it
   * @throws Fault `quota_reached`
   */
  async requireRoom(manager: EntityManager, account: HeldAccount, serial: string): Promise<void> {
    const room = await this.room(manager, account);
    if (room > 0 || (await hasOneAway(manager, account.id, serial))) return;
    throw quotaReached('devices', this.limitOf(account) ?? 0);
  }

  /** How many devices can be added; infinite without a limit, negative for an account that has more than it may. */
  async room(manager: EntityManager, account: Omit<HeldAccount, 'name' | 'active'>): Promise<number> {
    const limit = this.limitOf(account);
    if (limit === null) return Number.POSITIVE_INFINITY;
    return limit - (await countDevicesOf(manager, account.id));
  }

  private limitOf({ operator, quotas }: Pick<HeldAccount, 'operator' | 'quotas'>): number | null {
    return operator ? null : limitsWith(quotas, this.defaults).devices;
  }
}
