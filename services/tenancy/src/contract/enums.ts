import { Role, Status } from '@warren/proto/common/v1/common';
import { Delivery } from '@warren/proto/tenancy/v1/invitations';
import type { StatusName } from '../accounts/account.entity.ts';
import type { RoleName } from '../groups/group.entity.ts';
import type { DeliveryName } from '../invitations/invitation.entity.ts';

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
