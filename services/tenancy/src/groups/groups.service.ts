import type { MessageInitShape } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { pageOf } from '@warren/platform/database/page';
import { Fault } from '@warren/platform/errors/fault';
import { listScope, requireMay, sightOf } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type { PageRequest } from '@warren/proto/common/v1/common';
import type {
  GroupSchema,
  ListGroupNamesResponseSchema,
  ListGroupsResponseSchema,
} from '@warren/proto/tenancy/v1/tenancy';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { roleOf } from '../contract/enums.ts';
import { groupNamesOf, groupOf, groupsPage, type GroupRow } from './groups.sql.ts';

/** The groups of accounts. */
@Injectable()
export class GroupsService {
  constructor(private readonly source: DataSource) {}

  /** For managers: groups of their account; for operators who manage: of any account, or of all if `accountId` is empty. */
  async list(
    caller: Caller,
    request: { page?: PageRequest; accountId: string },
  ): Promise<MessageInitShape<typeof ListGroupsResponseSchema>> {
    const { accountId } = listScope(caller, 'groups.list', request.accountId);
    if (accountId && !isUuid(accountId)) throw new Fault('not_found', `account ${accountId}.`);
    const { rows, total } = await groupsPage(this.source, accountId, pageOf(request.page));
    return { groups: rows.map(asGroup), total };
  }

  /** @throws Fault `not_found` if it does not exist, or if the caller may not see the account's groups */
  async get(caller: Caller, { id }: { id: string }): Promise<{ group: MessageInitShape<typeof GroupSchema> }> {
    const row = isUuid(id) ? await groupOf(this.source, id, sightOf(caller)) : undefined;
    if (!row) throw new Fault('not_found', `group ${id}.`);
    requireMay(caller, 'groups.list', row.account_id, `group ${id}`);
    return { group: asGroup(row) };
  }

  /** Lists every group of an account, by role from the widest, then by name: their number is bounded. */
  async names(
    caller: Caller,
    request: { accountId: string },
  ): Promise<MessageInitShape<typeof ListGroupNamesResponseSchema>> {
    const { accountId } = request;
    requireMay(caller, 'groups.list', accountId);
    const rows = isUuid(accountId) ? await groupNamesOf(this.source, accountId) : [];
    // Every account has groups, so one without any does not exist.
    if (rows.length === 0) throw new Fault('not_found', `account ${accountId}.`);
    return {
      groups: rows.map(({ id, name, role, is_default }) => ({ id, name, role: roleOf(role), default: is_default })),
    };
  }
}

function asGroup(row: GroupRow): MessageInitShape<typeof GroupSchema> {
  return {
    id: row.id,
    name: row.name,
    accountId: row.account_id,
    accountName: row.account_name,
    role: roleOf(row.role),
    userCount: row.user_count,
    default: row.is_default,
  };
}
