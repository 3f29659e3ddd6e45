import type { Caller } from '@warren/platform/rpc/caller';
import type { RpcClient } from '@warren/platform/rpc/types';
import type { User } from '@warren/proto/tenancy/v1/tenancy';
import type { ExportUsersResponse, UsersService } from '@warren/proto/tenancy/v1/users';

interface Filter {
  accountId: string;
  groupId: string;
  search: string;
}

/**
 * Every user that a filter shows, fetched part by part as they are read. The first part is there when this resolves, so a
 * refusal is one before anything is written.
 */
export async function exportUsers(
  client: Pick<RpcClient<typeof UsersService>, 'exportUsers'>,
  caller: Caller,
  filter: Filter,
): Promise<AsyncGenerator<User>> {
  const part = (after: string) => client.exportUsers(caller, { ...filter, after });
  return usersFrom(await part(''), part);
}

async function* usersFrom(
  first: ExportUsersResponse,
  part: (after: string) => Promise<ExportUsersResponse>,
): AsyncGenerator<User> {
  for (let answer = first; ; answer = await part(answer.next)) {
    yield* answer.users;
    if (answer.next === '') return;
  }
}
