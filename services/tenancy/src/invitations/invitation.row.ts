import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { InvitationSchema } from '@warren/proto/tenancy/v1/invitations';
import { deliveryOf, roleOf, type RoleName, type DeliveryName } from '../contract/enums.ts';

/** An invitation joined with account, group and inviter, as `invitations.sql.ts` reads it. */
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
