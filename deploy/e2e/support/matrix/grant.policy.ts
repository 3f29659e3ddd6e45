import { create } from '@bufbuild/protobuf';
import { Fault } from '@warren/platform/errors/fault';
import { has, requireRight, rightsOn } from '@warren/platform/policy/device.access';
import { permissionsOf } from '@warren/platform/policy/permission.names';
import { may, type Action } from '@warren/platform/policy/policy';
import {
  AccessGrantSchema,
  DevicePermission,
  GuestSchema,
  UserCallerSchema,
  WebTargetSchema,
} from '@warren/proto/common/v1/common';
import { GRANT_PERMISSIONS, grantPermissions, type GrantPermission } from '@warren/rules/grants';
import { FILTERED_PERMISSIONS } from '@warren/rules/tokens';
import { callerOf, OTHER, OWN } from './policy.ts';

type Known = Parameters<typeof requireRight>[1];

/** The columns of the table of grants that give no permission: without grants, with all for other devices, and on devices of another account. */
export const WITHOUT = ['none', 'elsewhere', 'other'] as const;
export const COLUMNS = [...WITHOUT, ...GRANT_PERMISSIONS] as const;
export type Column = (typeof COLUMNS)[number];

/** What an operation on a device needs: a permission that a grant may give, or an action that only roles give. */
export type Need = { permission: GrantPermission } | { action: Action };

const isGiven = (column: Column): column is GrantPermission => !(WITHOUT as readonly string[]).includes(column);

/** The grants of a column, as the hub keeps them. Those of `elsewhere` hold for no device of the table. */
function grantsOf(column: Column) {
  if (column === 'none' || column === 'elsewhere') return [];
  const names = isGiven(column) ? [column] : [...GRANT_PERMISSIONS];
  return [create(AccessGrantSchema, { id: 'grant', permissions: permissionsOf(grantPermissions.parse(names)) })];
}

/** What the policy says of a Member of an account with explicit grants only: 404, 403, or `done` for any answer of somebody who may. */
export function expectedByGrants(need: Need, column: Column): string {
  const caller = create(UserCallerSchema, { ...callerOf('member'), explicitGrants: true });
  const account = column === 'other' ? OTHER : OWN;
  const rights = rightsOn(caller, account, grantsOf(column));
  const needed = 'permission' in need ? permissionsOf([need.permission])[0] : DevicePermission.VIEW;
  try {
    requireRight(rights, needed as Known, 'device');
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.code === 'not_found' ? '404' : '403';
  }
  return 'permission' in need || may(caller, need.action, account) ? 'done' : '403';
}

/** What the policy says of a guest of a link of a Member: 403, or `done` for any answer of somebody who may. */
export function expectedOfGuest(opened: 'terminal' | 'web', needed: GrantPermission): string {
  const [permission, need] = permissionsOf([opened, needed]);
  const caller = callerOf('member', { permissions: FILTERED_PERMISSIONS, filter: 'serial=one' });
  caller.guest = create(GuestSchema, { id: 'guest', permission });
  if (opened === 'web') caller.guest.web = create(WebTargetSchema, { slug: 'one', ip: '127.0.0.1', port: 1880 });
  return has(rightsOn(caller, OWN, []), need as Known) ? 'done' : '403';
}
