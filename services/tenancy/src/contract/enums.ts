import { Role, Status } from '@warren/proto/common/v1/common';
import { Delivery } from '@warren/proto/tenancy/v1/invitations';

/** As the specification spells it (section 3). */
export type StatusName = 'Active' | 'Inactive';
/** As the specification spells it (section 3). */
export type RoleName = 'SuperAdmin' | 'Owner' | 'Admin' | 'Member';
/** The state of an invitation's mail: waiting, accepted by the mail server, or rejected and retried. */
export type DeliveryName = 'Queued' | 'Sent' | 'Failing';

const ROLES: Record<RoleName, Role> = {
  SuperAdmin: Role.SUPER_ADMIN,
  Owner: Role.OWNER,
  Admin: Role.ADMIN,
  Member: Role.MEMBER,
};

const DELIVERIES: Record<DeliveryName, Delivery> = {
  Queued: Delivery.QUEUED,
  Sent: Delivery.SENT,
  Failing: Delivery.FAILING,
};

export const roleOf = (name: RoleName): Role => ROLES[name];

export const statusOf = (name: StatusName): Status => (name === 'Active' ? Status.ACTIVE : Status.INACTIVE);

export const deliveryOf = (name: DeliveryName): Delivery => DELIVERIES[name];
