import type { MessageInitShape } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { pageOf } from '@warren/platform/database/page';
import { Fault } from '@warren/platform/errors/fault';
import { listScope, may } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type { PageRequest } from '@warren/proto/common/v1/common';
import type { ListUsersResponseSchema } from '@warren/proto/tenancy/v1/tenancy';
import { LIMITS } from '@warren/rules/limits';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { asUser } from './user.row.ts';
import { usersPage } from './users.sql.ts';

/** The users directory. */
@Injectable()
export class UsersService {
  constructor(private readonly source: DataSource) {}

  /** Lists users for managers: of the given account; without one, of all accounts if the caller may see the directory, else of the caller's. */
  async list(
    caller: Caller,
    request: { page?: PageRequest; accountId: string; groupId: string },
  ): Promise<MessageInitShape<typeof ListUsersResponseSchema>> {
    const { accountId, groupId } = userFilter(caller, request);
    const page = pageOf(request.page, LIMITS.pageSize.users);
    const { rows, total } = await usersPage(this.source, { accountId, groupId }, page);
    return { users: rows.map(asUser), total };
  }
}

/** The accounts and groups that a list of users may show; see {@link UsersService.list}. */
export function userFilter(caller: Caller, request: { accountId: string; groupId: string }) {
  const accountId = scopeOf(caller, request.accountId);
  const groupId = request.groupId || undefined;
  if (accountId && !isUuid(accountId)) throw new Fault('not_found', `account ${accountId}.`);
  if (groupId && !isUuid(groupId)) throw new Fault('not_found', `group ${groupId}.`);
  return { accountId, groupId };
}

function scopeOf(caller: Caller, accountId: string): string | undefined {
  const scope = listScope(caller, 'users.list', accountId);
  if (scope.accountId) return scope.accountId;
  return may(scope.user, 'users.list-all') ? undefined : scope.user.accountId;
}
