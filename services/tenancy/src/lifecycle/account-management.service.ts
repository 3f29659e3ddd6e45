import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { Status } from '@warren/proto/common/v1/common';
import type { CreateAccountResponseSchema } from '@warren/proto/tenancy/v1/tenancy';
import { accountName } from '@warren/rules/names';
import { AccountEntity } from '../accounts/account.entity.ts';
import { lockCustomer } from '../accounts/account.lock.ts';
import { AccountsService } from '../accounts/accounts.service.ts';
import { actedBy } from '../contract/acting.ts';
import { aboutAccount } from '../events/audited.ts';
import { check, invalid } from '../contract/check.ts';
import { unique } from '../contract/conflict.ts';
import type { StatusName } from '../contract/enums.ts';
import { accountChanged, userChanged } from '../events/tenancy.event.ts';
import { dissolve, handlesOf, peopleOf } from './dissolution.ts';
import { Founder } from './founder.ts';

type Nothing = Record<string, never>;

const STATUSES: Partial<Record<Status, StatusName>> = {
  [Status.ACTIVE]: 'Active',
  [Status.INACTIVE]: 'Inactive',
};

/** Creates, disables, enables and deletes accounts: SuperAdmins only. */
@Injectable()
export class AccountManagement {
  constructor(
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly founder: Founder,
    private readonly accounts: AccountsService,
  ) {}

  /** Creates an active account with its default groups. @throws Fault `already_exists` for a taken name, ignoring case */
  async create(
    caller: Caller,
    request: { name: string },
  ): Promise<MessageInitShape<typeof CreateAccountResponseSchema>> {
    const { userId, accountId } = requireUser(caller);
    requireMay(caller, 'accounts.manage', accountId, 'account');
    const name = check('name', accountName, request.name);
    const made = this.outbox.transaction(async (manager, emit) => {
      const account = await this.founder.foundAccount(manager, actedBy(userId, emit), { name, operator: false });
      emit(auditEvent(caller, { action: 'account.create', ...aboutAccount(account), after: { name } }));
      return account;
    });
    const { id } = await unique('accounts_name', 'A account with that name already exists.', made);
    return this.accounts.get(caller, { id });
  }

  /** Disables or enables an account. Disabling ends its users' sessions; idempotent. */
  async setStatus(caller: Caller, request: { id: string; status: Status }): Promise<Nothing> {
    const { id } = request;
    const { userId } = requireMay(caller, 'accounts.manage', id);
    const status = STATUSES[request.status];
    if (!status) throw invalid('status', 'expected Active or Inactive.');
    await this.outbox.transaction(async (manager, emit) => {
      const account = await lockCustomer(manager, id, 'change', status === 'Active' ? 'enabled' : 'disabled');
      if (account.status === status) return;
      await manager.update(AccountEntity, { id }, { status });
      const emitAs = actedBy(userId, emit);
      emitAs(accountChanged({ ...account, status }));
      const action = status === 'Active' ? 'account.enable' : 'account.disable';
      const states = { before: { status: account.status }, after: { status } };
      emit(auditEvent(caller, { action, ...aboutAccount(account), ...states }));
      if (status === 'Inactive')
        for (const person of [...(await peopleOf(manager, id)), ...(await handlesOf(manager, id))])
          emitAs(userChanged({ ...person, accountId: id, status }));
    });
    return {};
  }

  /** Deletes the account with its users, groups and invitations; other services follow the events. */
  async remove(caller: Caller, { id }: { id: string }): Promise<Nothing> {
    const { userId } = requireMay(caller, 'accounts.manage', id);
    await this.outbox.transaction(async (manager, emit) => {
      const { account, ...counts } = await dissolve(manager, actedBy(userId, emit), id);
      emit(auditEvent(caller, { action: 'account.delete', ...aboutAccount(account), details: counts }));
    });
    return {};
  }
}
