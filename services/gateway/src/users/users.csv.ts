import type { User } from '@warren/proto/tenancy/v1/tenancy';
import type { Readable } from 'node:stream';
import { csvOf } from '../http/csv.ts';
import { FLEET } from '../http/example.fleet.ts';
import { roleName, statusName } from '../http/enums.ts';

const COLUMNS = ['Name', 'E-mail', 'Account', 'Group', 'Role', 'Status'];

const { member, account, group } = FLEET;
export const USERS_EXAMPLE = `${COLUMNS.join()}\r\n${member.name},${member.email},${account.name},${group.name},Member,Active\r\n`;

/** Users as CSV. */
export function usersCsv(users: AsyncIterable<User>): Readable {
  return csvOf(COLUMNS, records(users));
}

async function* records(users: AsyncIterable<User>): AsyncGenerator<string[]> {
  for await (const { name, email, accountName, groupName, role, status } of users)
    yield [name, email, accountName, groupName, roleName(role), statusName(status)];
}
