import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { InvitationSchema } from '@warren/proto/tenancy/v1/invitations';
import { deliveryOf, roleOf, type RoleName, type DeliveryName } from '../contract/enums.ts';

/** An invitation joined with account, group and inviter, as {@link SELECT_INVITATION} reads it. */
export interface InvitationRow {
  id: string;
  email: string;
  name: string;
  invited_at: Date;
  expires: Date;
  account_id: string;
  account_name: string;
  group_id: string;
  group_name: string;
  role: RoleName;
  delivery: DeliveryName;
  delivery_problem: string;
  joined_elsewhere: boolean;
  /** Name or e-mail of the inviter; empty if unknown. */
  inviter: string;
}

export const SELECT_INVITATION = `
  SELECT i.id, i.email, i.name, i.invited_at, i.expires, i.account_id, a.name AS account_name, i.group_id,
    g.name AS group_name, g.role, i.delivery, i.delivery_problem, i.joined_elsewhere,
    coalesce((SELECT coalesce(nullif(u.name, ''), u.email) FROM users u WHERE u.id = i.invited_by), '') AS inviter
  FROM invitations i
  JOIN accounts a ON a.id = i.account_id
  JOIN groups g ON g.id = i.group_id AND g.account_id = i.account_id`;

export function asInvitation(row: InvitationRow): MessageInitShape<typeof InvitationSchema> {
  return {
    id: row.id,
    email: row.email,
    accountId: row.account_id,
    accountName: row.account_name,
    groupId: row.group_id,
    groupName: row.group_name,
    role: roleOf(row.role),
    invitedAt: timestampFromDate(row.invited_at),
    expires: timestampFromDate(row.expires),
    delivery: deliveryOf(row.delivery),
    deliveryProblem: row.delivery_problem,
    joinedElsewhere: row.joined_elsewhere,
  };
}
