import type { MessageInitShape } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { pageOf } from '@warren/platform/database/page';
import { inSnapshot } from '@warren/platform/database/snapshot';
import { Fault } from '@warren/platform/errors/fault';
import { listScope, may } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type { PageRequest } from '@warren/proto/common/v1/common';
import type { ListUsersResponseSchema } from '@warren/proto/tenancy/v1/tenancy';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { asUser, SELECT_USER, type UserRow } from './user.row.ts';

const PAGE_SIZE = 20;

/** Filters by account, group and search; $1 to $3. */
export const USERS_WHERE = `
  WHERE ($1::uuid IS NULL OR u.account_id = $1)
    AND ($2::uuid IS NULL OR u.group_id = $2)
    AND ($3::text IS NULL OR lower(u.name || ' ' || u.email) LIKE $3)`;

const order = (direction: 'ASC' | 'DESC') =>
  ['lower(u.name)', 'lower(u.email)', 'u.id'].map((key) => `${key} ${direction}`).join(', ');

/** The users directory. */
@Injectable()
export class UsersService {
  constructor(private readonly source: DataSource) {}

  /** Managers, of the account given; without one, of all accounts for those who may see the directory, else of their own. */
  async list(
    caller: Caller,
    request: { page?: PageRequest; accountId: string; groupId: string },
  ): Promise<MessageInitShape<typeof ListUsersResponseSchema>> {
    const { accountId, groupId } = userFilter(caller, request);
    const { limit, offset, pattern, descending } = pageOf(request.page, PAGE_SIZE);
    const filter = [accountId, groupId, pattern];
    const { rows, total } = await inSnapshot(this.source, async (manager) => ({
      rows: await manager.query<UserRow[]>(
        `${SELECT_USER} ${USERS_WHERE} ORDER BY ${order(descending ? 'DESC' : 'ASC')} LIMIT $4 OFFSET $5`,
        [...filter, limit, offset],
      ),
      total: await manager.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM users u ${USERS_WHERE}`, filter),
    }));
    return { users: rows.map(asUser), total: total[0]?.n ?? 0 };
  }
}

/** The accounts and groups that a list of users may show; see {@link UsersService.list}. */
export function userFilter(caller: Caller, request: { accountId: string; groupId: string }) {
  const accountId = scopeOf(caller, request.accountId);
  const groupId = request.groupId || undefined;
  if (accountId && !isUuid(accountId)) throw new Fault('not_found', `Not found: account ${accountId}.`);
  if (groupId && !isUuid(groupId)) throw new Fault('not_found', `Not found: group ${groupId}.`);
  return { accountId, groupId };
}

function scopeOf(caller: Caller, accountId: string): string | undefined {
  const scope = listScope(caller, 'users.list', accountId);
  if (scope.accountId) return scope.accountId;
  return may(scope.user, 'users.list-all') ? undefined : scope.user.accountId;
}
