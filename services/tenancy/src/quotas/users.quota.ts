import { Inject, Injectable } from '@nestjs/common';
import { requireQuota } from '@warren/platform/quotas/quotas';
import { limitsWith, type QuotaLimits } from '@warren/rules/quotas';
import type { EntityManager } from 'typeorm';
import type { AccountEntity } from '../accounts/account.entity.ts';
import { QUOTA_DEFAULTS } from './quota.defaults.ts';
import { peopleOf, type People } from './quotas.sql.ts';

/** The quota of users per account. */
@Injectable()
export class UsersQuota {
  constructor(@Inject(QUOTA_DEFAULTS) private readonly defaults: QuotaLimits) {}

  /**
   * Runs work that may invite people, within the quota.
   * @param account locked, so that no other request adds people until the transaction ends
   * @throws Fault `quota_reached` if the work added people beyond the account's quota
   */
  inviting<T>(manager: EntityManager, account: AccountEntity, work: () => Promise<T>): Promise<T> {
    return this.within(manager, account, ({ users, invited }) => users + invited, work);
  }

  /** Runs work that makes an invited person, who counted before, a user; else as {@link inviting}. */
  accepting<T>(manager: EntityManager, account: AccountEntity, work: () => Promise<T>): Promise<T> {
    return this.within(manager, account, ({ users }) => users, work);
  }

  private async within<T>(
    manager: EntityManager,
    { id, operator, quotas }: AccountEntity,
    count: (people: People) => number,
    work: () => Promise<T>,
  ): Promise<T> {
    const limit = operator ? null : limitsWith(quotas, this.defaults).users;
    if (limit === null) return work();
    const before = count(await peopleOf(manager, id));
    const done = await work();
    const after = count(await peopleOf(manager, id));
    if (after > before) requireQuota('users', limit, after);
    return done;
  }
}
