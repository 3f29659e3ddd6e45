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
import { roleOf, type RoleName } from '../contract/enums.ts';
import { listed, pageQuery, type Listed } from '../contract/page-query.ts';

interface GroupRow {
  id: string;
  name: string;
  account_id: string;
  account_name: string;
  role: RoleName;
  is_default: boolean;
  user_count: number;
}

const WHERE = `
  WHERE ($1::uuid IS NULL OR g.account_id = $1)
    AND ($2::text IS NULL OR lower(g.name) LIKE $2)`;

const COLUMNS = `
  g.id, g.name, g.account_id, a.name AS account_name, g.role, g.is_default,
  (SELECT count(*)::int FROM users u WHERE u.account_id = g.account_id AND u.group_id = g.id) AS user_count`;
const SELECT_GROUP = `SELECT ${COLUMNS} FROM groups g JOIN accounts a ON a.id = g.account_id`;

/** By account, then by role from the widest, then by name. */
const GROUPS = {
  source: `FROM groups g JOIN accounts a ON a.id = g.account_id ${WHERE}`,
  keys: [
    'lower(a.name) COLLATE "C"',
    'a.id',
    `array_position('{SuperAdmin,Owner,Admin,Member}', g.role)`,
    'lower(g.name) COLLATE "C"',
  ],
  id: 'g.id',
  columns: COLUMNS,
  joins: 'JOIN groups g ON g.id = page.id JOIN accounts a ON a.id = g.account_id',
};

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
    const page = pageOf(request.page);
    const values = [accountId, page.pattern];
    const { rows, total } = listed(await this.source.query<Listed<GroupRow>[]>(pageQuery(GROUPS, page), values));
    return { groups: rows.map(asGroup), total };
  }

  /** @throws Fault `not_found` if it does not exist, or if the caller may not see the account's groups */
  async get(caller: Caller, { id }: { id: string }): Promise<{ group: MessageInitShape<typeof GroupSchema> }> {
    const [row] = isUuid(id)
      ? await this.source.query<GroupRow[]>(
          `${SELECT_GROUP} WHERE g.id = $1 AND ($2::uuid IS NULL OR g.account_id = $2)`,
          [id, sightOf(caller)],
        )
      : [];
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
    requireMay(caller, 'groups.list', accountId, `account ${accountId}`);
    const rows = isUuid(accountId)
      ? await this.source.query<Pick<GroupRow, 'id' | 'name' | 'role' | 'is_default'>[]>(
          `SELECT g.id, g.name, g.role, g.is_default FROM groups g WHERE g.account_id = $1
           ORDER BY array_position('{SuperAdmin,Owner,Admin,Member}', g.role), lower(g.name), g.id`,
          [accountId],
        )
      : [];
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
