import type { MessageInitShape } from '@bufbuild/protobuf';
import type { UserSchema } from '@warren/proto/tenancy/v1/tenancy';
import { type StatusName, roleOf, statusOf, type RoleName } from '../contract/enums.ts';

/** A user joined with group and account, as {@link SELECT_USER} reads it. */
export interface UserRow {
  id: string;
  name: string;
  email: string;
  picture: string;
  status: StatusName;
  account_id: string;
  account_name: string;
  account_status: StatusName;
  operator: boolean;
  group_id: string;
  group_name: string;
  role: RoleName;
  /** The identity that the user is bound to; both empty until a sign-in. */
  provider: string;
  subject: string;
}

/** Of `users u` with {@link USER_JOINS}. */
export const USER_COLUMNS = `
  u.id, u.name, u.email, u.picture, u.status, u.account_id, a.name AS account_name, a.status AS account_status,
  a.operator, u.group_id, g.name AS group_name, g.role, u.provider, u.subject`;

export const USER_JOINS = `
  JOIN accounts a ON a.id = u.account_id
  JOIN groups g ON g.id = u.group_id AND g.account_id = u.account_id`;

export const SELECT_USER = `SELECT ${USER_COLUMNS} FROM users u ${USER_JOINS}`;

export function asUser(row: UserRow): MessageInitShape<typeof UserSchema> {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    picture: row.picture,
    status: statusOf(row.status),
    accountId: row.account_id,
    accountName: row.account_name,
    groupId: row.group_id,
    groupName: row.group_name,
    role: roleOf(row.role),
    provider: row.provider,
  };
}
