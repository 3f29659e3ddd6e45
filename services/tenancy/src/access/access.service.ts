import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { pageOf } from '@warren/platform/database/page';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay } from '@warren/platform/policy/policy';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type { PageRequest } from '@warren/proto/common/v1/common';
import type {
  GetAccessResponseSchema,
  ListMembersAccessResponseSchema,
  ListRestrictableResponseSchema,
  ListRestrictedResponseSchema,
} from '@warren/proto/tenancy/v1/access';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { AccountEntity } from '../accounts/account.entity.ts';
import { lockCustomer } from '../accounts/account.lock.ts';
import { accessChanged } from './access.event.ts';
import { countOperators, listGrants, membersPage, restrictableAfter, restrictedAfter } from './access.sql.ts';
import {
  callerMessage,
  grantMessage,
  memberMessage,
  operatorMessage,
  restrictableMessage,
  serviceAccountMessage,
} from './grant.messages.ts';
import { activeServiceAccounts, restrictedServiceAccountsAfter } from './service.account.sql.ts';

/** Users in an answer to services. */
const MOST_RESTRICTED = 200;
/** Page size of {@link RestrictableRow}, which have no grants: keeps a page below the megabyte that the bus carries. */
const MOST_RESTRICTABLE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** The access mode of accounts, and who has which grants. */
@Injectable()
export class AccessService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  /** @throws Fault `not_found`, `permission_denied` */
  async get(
    caller: Caller,
    { accountId }: { accountId: string },
  ): Promise<MessageInitShape<typeof GetAccessResponseSchema>> {
    const { explicitGrants, operator } = await this.readable(caller, accountId);
    const grants = await listGrants(this.source, accountId);
    return { explicitGrants, operator, grants: grants.map(grantMessage) };
  }

  /**
   * Switches whether the role Member gives devices, or grants alone do.
   * @throws Fault `not_found`, `permission_denied`; `failed_precondition` for the operator account
   */
  async setMode(
    caller: Caller,
    { accountId, explicitGrants }: { accountId: string; explicitGrants: boolean },
  ): Promise<Record<string, never>> {
    const actor = requireMay(caller, 'grants.manage', accountId);
    await this.outbox.transaction(async (manager, emit) => {
      const account = await lockCustomer(manager, accountId, 'change', 'restricted to grants');
      if (account.explicitGrants === explicitGrants) return;
      await manager.update(AccountEntity, { id: accountId }, { explicitGrants });
      emit(accessChanged(accountId, actor.userId));
      emit(
        auditEvent(caller, {
          action: 'account.set_access_mode',
          accountId,
          target: { kind: 'account', id: accountId, name: account.name },
          before: { explicit_grants: account.explicitGrants },
          after: { explicit_grants: explicitGrants },
        }),
      );
    });
    return {};
  }

  /**
   * Lists active users with the grants that name them and active service accounts, and counts operators.
   * @throws Fault as {@link get}; `not_found` for a user of another account
   */
  async members(
    caller: Caller,
    { accountId, userId, page }: { accountId: string; page?: PageRequest; userId: string },
  ): Promise<MessageInitShape<typeof ListMembersAccessResponseSchema>> {
    const { explicitGrants, operator } = await this.readable(caller, accountId);
    if (userId !== '' && !isUuid(userId)) throw new Fault('not_found', `user ${userId}.`);
    const of = { accountId, userId: userId === '' ? undefined : userId };
    const { rows, total } = await membersPage(this.source, of, pageOf(page));
    if (userId !== '' && rows.length === 0) throw new Fault('not_found', `active user ${userId}.`);
    const programs = userId === '' ? await activeServiceAccounts(this.source, accountId) : [];
    const serviceAccounts = programs.map(serviceAccountMessage);
    const operators = userId === '' && !operator ? await countOperators(this.source) : [];
    const members = rows.map(memberMessage);
    return { members, total, explicitGrants, serviceAccounts, operators: operators.map(operatorMessage) };
  }

  /** Lists whom explicit grants restrict, or would, by id. @throws Fault as {@link get} */
  async restrictable(
    caller: Caller,
    { accountId, after }: { accountId: string; after: string },
  ): Promise<MessageInitShape<typeof ListRestrictableResponseSchema>> {
    await this.readable(caller, accountId);
    const of = { accountId, after: isUuid(after) ? after : FIRST, limit: MOST_RESTRICTABLE };
    const rows = await restrictableAfter(this.source, of);
    const next = rows.length === MOST_RESTRICTABLE ? (rows.at(-1)?.id ?? '') : '';
    return { members: rows.map(restrictableMessage), next };
  }

  /** Tunnels only. Nobody is restricted in an account without explicit grants. */
  async restricted(
    caller: Caller,
    { accountId, after }: { accountId: string; after: string },
  ): Promise<MessageInitShape<typeof ListRestrictedResponseSchema>> {
    requireService(caller, 'tunnels');
    if (!isUuid(accountId)) return {};
    const of = { accountId, after: isUuid(after) ? after : FIRST, limit: MOST_RESTRICTED };
    const people = await restrictedAfter(this.source, of);
    const programs = await restrictedServiceAccountsAfter(this.source, of);
    const users = [
      ...people.map((row) => callerMessage(row)),
      ...programs.map((row) => ({ ...callerMessage(row), serviceAccount: true })),
    ];
    const page = users.sort((one, other) => (one.userId < other.userId ? -1 : 1)).slice(0, MOST_RESTRICTED);
    const next = page.length === MOST_RESTRICTED ? (page.at(-1)?.userId ?? '') : '';
    return { users: page, next };
  }

  private async readable(caller: Caller, accountId: string): Promise<AccountEntity> {
    requireMay(caller, 'grants.read', accountId);
    const account = isUuid(accountId) ? await this.source.manager.findOneBy(AccountEntity, { id: accountId }) : null;
    if (!account) throw new Fault('not_found', `account ${accountId}.`);
    return account;
  }
}
