import type { MessageInitShape } from '@bufbuild/protobuf';
import type { UserSchema } from '@warren/proto/tenancy/v1/tenancy';
import { type StatusName, roleOf, statusOf, type RoleName } from '../contract/enums.ts';

/** A user joined with group and account, as `users.sql.ts` reads it. */
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
