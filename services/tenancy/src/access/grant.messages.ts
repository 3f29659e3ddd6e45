import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { addingGrants } from '@warren/platform/policy/device.access';
import { permissionsOf } from '@warren/platform/policy/permission.names';
import { AccessGrantSchema, type AccessGrant } from '@warren/proto/common/v1/common';
import {
  GrantSource,
  type GrantSchema,
  type MemberAccessSchema,
  type RestrictableSchema,
} from '@warren/proto/tenancy/v1/access';
import { roleOf } from '../contract/enums.ts';
import type { countOperators, ListedGrant, MemberAccessRow, MemberGrant, RestrictableRow } from './access.sql.ts';

const SOURCES = { administrator: GrantSource.ADMINISTRATOR, request: GrantSource.REQUEST } as const;

export function grantMessage(row: ListedGrant): MessageInitShape<typeof GrantSchema> {
  const subject = row.userId
    ? ({ case: 'userId', value: row.userId } as const)
    : row.groupId
      ? ({ case: 'groupId', value: row.groupId } as const)
      : row.serviceAccountId
        ? ({ case: 'serviceAccountId', value: row.serviceAccountId } as const)
        : ({ case: 'everyone', value: true } as const);
  return {
    id: row.id,
    accountId: row.accountId,
    subject: { kind: subject, name: row.subjectName },
    permissions: permissionsOf(row.permissions),
    filter: row.filter,
    ...(row.expires ? { expires: timestampFromDate(row.expires) } : {}),
    note: row.note,
    source: SOURCES[row.source],
    created: timestampFromDate(row.created),
    createdBy: row.createdBy,
  };
}

type Access = Pick<MemberAccessRow, 'role' | 'operator' | 'explicit_grants' | 'grants'>;

/** The grants that add to what the role of a user gives. */
export function grantsOf(row: Access): MessageInitShape<typeof AccessGrantSchema>[] {
  const user = { role: roleOf(row.role), operator: row.operator };
  return addingGrants(user, row.explicit_grants, (row.grants ?? []).map(accessGrant));
}

/** A user with all grants that name them. */
export function memberMessage(row: MemberAccessRow): MessageInitShape<typeof MemberAccessSchema> {
  return { user: callerMessage(row, (row.grants ?? []).map(accessGrant)), groupName: row.group_name };
}

type OperatorRow = Awaited<ReturnType<typeof countOperators>>[number];

export function operatorMessage({ role, users, service_accounts: serviceAccounts }: OperatorRow) {
  return { role: roleOf(role), users, serviceAccounts };
}

export function restrictableMessage(row: RestrictableRow): MessageInitShape<typeof RestrictableSchema> {
  const { id, name, email, group_id: groupId, group_name: groupName, service_account: serviceAccount } = row;
  return { id, name, email, groupId, groupName, serviceAccount };
}

/** An active service account with all grants that name it. */
export function serviceAccountMessage(row: MemberAccessRow): MessageInitShape<typeof MemberAccessSchema> {
  const user = callerMessage(row, (row.grants ?? []).map(accessGrant));
  return { user: { ...user, serviceAccount: true } };
}

/** The caller that a user would be. */
export function callerMessage(row: MemberAccessRow, grants = grantsOf(row)) {
  const { id: userId, email, name, account_id: accountId, operator, explicit_grants: explicitGrants } = row;
  return { userId, email, name, accountId, role: roleOf(row.role), operator, explicitGrants, grants };
}

function accessGrant({ id, permissions, filter, expires }: MemberGrant): AccessGrant {
  return create(AccessGrantSchema, {
    id,
    permissions: permissionsOf(permissions),
    filter,
    ...(expires === null ? {} : { expires: timestampFromDate(new Date(expires)) }),
  });
}
