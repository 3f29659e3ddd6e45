import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type { AccountQuotaSchema, QuotaChange } from '@warren/proto/tenancy/v1/tenancy';
import { limitsWith, QUOTA_NAMES, type OwnQuotas, type QuotaLimits, type QuotaName } from '@warren/rules/quotas';
import { DataSource, type EntityManager } from 'typeorm';
import { isDeepStrictEqual } from 'node:util';
import { validate as isUuid } from 'uuid';
import { AccountEntity } from '../accounts/account.entity.ts';
import { lockCustomer } from '../accounts/account.lock.ts';
import { actedBy } from '../contract/acting.ts';
import { aboutAccount } from '../events/audited.ts';
import { accountChanged } from '../events/tenancy.event.ts';
import { changedQuotas, quotaFields } from './quota.change.ts';
import { QUOTA_DEFAULTS } from './quota.defaults.ts';
import { peopleOf, trafficThisMonth } from './quotas.sql.ts';

export interface Quotas {
  quotas: MessageInitShape<typeof AccountQuotaSchema>[];
}

/** The quotas of each account: the installation's defaults, unless a SuperAdmin overrides them. */
@Injectable()
export class QuotasService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    @Inject(QUOTA_DEFAULTS) private readonly defaults: QuotaLimits,
  ) {}

  /** @throws Fault `not_found`; `permission_denied` */
  async get(caller: Caller, { accountId }: { accountId: string }): Promise<Quotas> {
    requireMay(caller, 'quotas.read', accountId);
    const { manager } = this.source;
    const account = isUuid(accountId) ? await manager.findOneBy(AccountEntity, { id: accountId }) : null;
    if (!account) throw new Fault('not_found', `account ${accountId}.`);
    return this.answer(manager, account);
  }

  /**
   * Sets quotas of a customer's account. A quota below the current use refuses additions, and removes nothing.
   * @throws Fault `not_found`; `permission_denied`; `invalid_argument` for an unknown name or an invalid limit; `failed_precondition`
   *   for the operator account
   */
  async set(
    caller: Caller,
    { accountId, changes }: { accountId: string; changes: readonly QuotaChange[] },
  ): Promise<Quotas> {
    const { userId } = requireMay(caller, 'quotas.manage', accountId);
    return this.outbox.transaction(async (manager, emit) => {
      const account = await lockCustomer(manager, accountId, 'change', 'given quotas');
      const quotas = changedQuotas(account.quotas, changes);
      const after = { ...account, quotas };
      const states = { before: quotaFields(account.quotas), after: quotaFields(quotas) };
      if (isDeepStrictEqual(states.before, states.after)) return this.answer(manager, account);
      await manager.update(AccountEntity, { id: accountId }, { quotas });
      actedBy(userId, emit)(accountChanged(after));
      emit(auditEvent(caller, { action: 'account.set_quotas', ...aboutAccount(account), ...states }));
      return this.answer(manager, after);
    });
  }

  private async answer(manager: EntityManager, { id, operator, quotas }: AccountEntity): Promise<Quotas> {
    if (operator) return { quotas: [] };
    const { users, invited } = await peopleOf(manager, id);
    const traffic = await trafficThisMonth(manager, id);
    const uses: Partial<Record<QuotaName, bigint>> = { users: BigInt(users + invited), traffic };
    const limits = limitsWith(quotas, this.defaults);
    return {
      quotas: QUOTA_NAMES.map((name) => ({
        name,
        ...(limits[name] === null ? {} : { limit: BigInt(limits[name]) }),
        ...(this.defaults[name] === null ? {} : { defaultLimit: BigInt(this.defaults[name]) }),
        own: isOwn(quotas, name),
        ...(uses[name] === undefined ? {} : { used: uses[name] }),
      })),
    };
  }
}

function isOwn(quotas: OwnQuotas, name: keyof OwnQuotas): boolean {
  return quotas[name] !== undefined;
}
