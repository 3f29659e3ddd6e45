import type { Sql } from '@warren/platform/database/sql';
import { deviceScope, has, liveGrants } from '@warren/platform/policy/device.access';
import { listScope, may, requireMay, requireOfToken } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { DevicePermission, type AccessGrant, type UserCaller } from '@warren/proto/common/v1/common';
import { rightsOf } from '../access/rights.ts';
import type { BulkActionName } from './bulk.job.entity.ts';
import { permissionOf } from './bulk.row.ts';

/** What a grant to manage a device allows. */
const GRANTED: ReadonlySet<BulkActionName> = new Set<BulkActionName>(['reboot', 'update']);

/** Where a person may take an action. */
export interface ActionScope {
  /** Undefined for every account. */
  accountId: string | undefined;
  /** If set, only on the devices of that account that the filter of one of these holds for. */
  grants?: readonly AccessGrant[];
}

/**
 * Where a caller may take an action: by role, else by grants to manage devices.
 * @param accountId the account asked for; empty for all
 * @throws Fault `permission_denied` where they may nowhere, `not_found`
 */
export function actionScope(caller: Caller, action: BulkActionName, accountId: string): ActionScope {
  const user = requireUser(caller);
  const asked = accountId || user.accountId;
  const grants = GRANTED.has(action) ? managing(user) : [];
  if (grants.length === 0 || may(user, permissionOf(action), asked))
    return { accountId: listScope(caller, permissionOf(action), accountId).accountId };
  deviceScope(caller, asked);
  requireOfToken(user, permissionOf(action));
  return { accountId: user.accountId, grants };
}

/** @throws Fault `permission_denied`, `not_found` */
export async function requireAction(
  sql: Sql,
  caller: Caller,
  action: BulkActionName,
  device: { id: string; account_id: string },
): Promise<void> {
  const user = requireUser(caller);
  if (GRANTED.has(action) && !may(user, permissionOf(action), device.account_id)) {
    const rights = (await rightsOf(sql, user, [device])).get(device.id) ?? [];
    if (has(rights, DevicePermission.MANAGE)) return;
  }
  requireMay(caller, permissionOf(action), device.account_id, `device ${device.id}`);
}

function managing(user: UserCaller): AccessGrant[] {
  return liveGrants(user).filter(({ permissions }) => permissions.includes(DevicePermission.MANAGE));
}
