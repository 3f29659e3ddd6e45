import { Inject, Injectable } from '@nestjs/common';
import { quotaReached } from '@warren/platform/quotas/quotas';
import { limitsWith, type OwnQuotas, type QuotaLimits } from '@warren/rules/quotas';
import type { EntityManager } from 'typeorm';

/** Injects the quotas of accounts without their own. */
export const QUOTA_DEFAULTS = Symbol('QuotaDefaults');

/** An account that devices are added to. */
export interface HeldAccount {
  id: string;
  name: string;
  active: boolean;
  operator: boolean;
  quotas: OwnQuotas;
}

/** How many devices an account may have. */
@Injectable()
export class DevicesQuota {
  constructor(@Inject(QUOTA_DEFAULTS) private readonly defaults: QuotaLimits) {}

  /**
   * Locks the account that is about to get a device, so that no other enters before the transaction ends.
   * @returns undefined for a deleted account
   */
  async hold(manager: EntityManager, id: string): Promise<HeldAccount | undefined> {
    const [account] = await manager.query<HeldAccount[]>(
      'SELECT id, name, active, operator, quotas FROM accounts WHERE id = $1 AND NOT deleted FOR NO KEY UPDATE',
      [id],
    );
    return account;
  }

  /**
   * Requires room for a device before it is added. A device that was set up again comes as a second entry, which replaces the first
   * one later: it needs no room.
   * @param account as {@link hold} gives it
   * @throws Fault `quota_reached`
   */
  async requireRoom(manager: EntityManager, account: HeldAccount, serial: string): Promise<void> {
    const room = await this.room(manager, account);
    if (room > 0 || (await this.returns(manager, account, serial))) return;
    throw quotaReached('devices', this.limitOf(account) ?? 0);
  }

  /** How many devices can be added; infinite without a limit, negative for an account that has more than it may. */
  async room(manager: EntityManager, account: Omit<HeldAccount, 'name' | 'active'>): Promise<number> {
    const limit = this.limitOf(account);
    if (limit === null) return Number.POSITIVE_INFINITY;
    const [row] = await manager.query<{ n: number }[]>('SELECT count(*)::int AS n FROM devices WHERE account_id = $1', [
      account.id,
    ]);
    return limit - (row?.n ?? 0);
  }

  /** Whether the account has one entry of the machine, which is away. */
  private async returns(manager: EntityManager, { id }: HeldAccount, serial: string): Promise<boolean> {
    const rows = await manager.query<{ connected: boolean }[]>(
      'SELECT connected FROM devices WHERE account_id = $1 AND serial = $2 LIMIT 2',
      [id, serial],
    );
    return rows.length === 1 && rows[0]?.connected === false;
  }

  private limitOf({ operator, quotas }: Pick<HeldAccount, 'operator' | 'quotas'>): number | null {
    return operator ? null : limitsWith(quotas, this.defaults).devices;
  }
}
