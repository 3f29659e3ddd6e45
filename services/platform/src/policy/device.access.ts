import { timestampMs, type Timestamp } from '@bufbuild/protobuf/wkt';
import { DevicePermission, type AccessGrant, type Role, type UserCaller } from '@warren/proto/common/v1/common';
import { Fault } from '../errors/fault.ts';
import { requireUser, type Caller } from '../rpc/caller.ts';
import { permissionNames } from './permission.names.ts';
import { isRestricted, isWithinToken, listScope, may, otherAccount, requireOfToken, type Action } from './policy.ts';

/** The action of a role that gives each permission on devices. */
const BY_ROLE: Readonly<Record<Exclude<DevicePermission, DevicePermission.UNSPECIFIED>, Action>> = {
  [DevicePermission.VIEW]: 'devices.read',
  [DevicePermission.TERMINAL]: 'devices.open',
  [DevicePermission.DESKTOP]: 'devices.open',
  [DevicePermission.WEB]: 'devices.open',
  [DevicePermission.MANAGE]: 'devices.manage',
};

type Known = keyof typeof BY_ROLE;
const DEVICE_PERMISSIONS = Object.keys(BY_ROLE).map(Number) as readonly Known[];

/** A permission on a device with its reason: the role, or the id of a grant. */
export interface DeviceRight {
  permission: Known;
  grantId: string;
  /** When the last grant that gives it expires; absent if it does not. */
  until?: Timestamp;
}

/**
 * Decides what a user may do with a device: what the role gives (see {@link may}), and what grants of the device's account add.
 * @param matching the user's grants whose filter holds for the device
 * @param now milliseconds since 1970; grants that have expired by then give nothing
 */
export function rightsOn(
  user: UserCaller,
  accountId: string,
  matching: readonly AccessGrant[],
  now = Date.now(),
): DeviceRight[] {
  const usable = accountId === user.accountId ? matching.filter((grant) => isLive(grant, now)) : [];
  return DEVICE_PERMISSIONS.flatMap((permission): DeviceRight[] => {
    if (!isForGuest(user, permission)) return [];
    if (may(user, BY_ROLE[permission], accountId)) return [{ permission, grantId: '' }];
    if (!isWithinToken(user, BY_ROLE[permission])) return [];
    const giving = usable.filter((grant) => gives(grant, permission));
    const last = giving.reduce<AccessGrant | undefined>(
      (one, other) => (outlasts(other, one) ? other : one),
      undefined,
    );
    if (!last) return [];
    return [{ permission, grantId: last.id, ...(last.expires ? { until: last.expires } : {}) }];
  });
}

/** Whether rights have a permission. */
export function has(rights: readonly { permission: DevicePermission }[], permission: Known): boolean {
  return rights.some((right) => right.permission === permission);
}

/**
 * Requires a permission of the rights on a device.
 * @throws Fault `not_found` without a right to view it, else `permission_denied`
 */
export function requireRight(
  rights: readonly { permission: DevicePermission }[],
  permission: Known,
  what: string,
): void {
  if (!has(rights, DevicePermission.VIEW)) throw new Fault('not_found', `${what}.`);
  if (!has(rights, permission))
    throw new Fault(
      'permission_denied',
      `neither your role nor a grant allows this (${permissionNames([permission]).join()}).`,
    );
}

/** The devices that a caller may view. */
export interface DeviceScope {
  user: UserCaller;
  /** Their account; undefined for every account. */
  accountId: string | undefined;
  /** If set, only the devices of that account that the filter of one of these grants holds for. */
  grants?: readonly AccessGrant[];
}

/**
 * The devices that a list may show.
 * @param accountId the account asked for; empty for all that the caller may see
 * @param how whether the caller of this holds what it finds to the filter of the user's API token; else a token that has one is refused
 * @throws Fault as {@link listScope}
 */
export function deviceScope(
  caller: Caller,
  accountId: string,
  { now = Date.now(), filtersByToken = false }: { now?: number; filtersByToken?: boolean } = {},
): DeviceScope {
  const user = requireUser(caller);
  if (!filtersByToken) requireUnfiltered(user);
  if (!isRestricted(user)) return listScope(caller, 'devices.read', accountId);
  if (accountId !== '' && accountId !== user.accountId) throw otherAccount(accountId);
  requireOfToken(user, 'devices.read');
  return { user, accountId: user.accountId, grants: liveGrants(user, now) };
}

/**
 * Requires that the user's API token, if there is one, is for every device: for what is about more than devices that a filter holds for.
 * @throws Fault `permission_denied`
 */
function requireUnfiltered({ token }: UserCaller): void {
  if (token && token.filter !== '')
    throw new Fault('permission_denied', 'this token is limited to some devices, and this operation is not.');
}

/** The grants of a user that have not expired. */
export function liveGrants(user: Pick<UserCaller, 'grants'>, now = Date.now()): AccessGrant[] {
  return user.grants.filter((grant) => isLive(grant, now));
}

/**
 * Leaves out the grants that add nothing to what the role of a user gives in its account, so that callers stay small.
 * @param explicitGrants the access mode of the account
 */
export function addingGrants(
  user: { role: Role; operator: boolean },
  explicitGrants: boolean,
  grants: readonly AccessGrant[],
): AccessGrant[] {
  if (isRestricted({ ...user, explicitGrants })) return [...grants];
  return grants.filter((grant) => grant.permissions.includes(DevicePermission.MANAGE));
}

/**
 * A guest views the device of the link and does one thing with it; the filter of the guest's token names the device. Web services are open
 * to a guest of one of them alone, which tunnels holds the guest to.
 */
function isForGuest({ guest }: UserCaller, permission: Known): boolean {
  if (!guest || permission === DevicePermission.VIEW) return true;
  return permission === guest.permission && (permission !== DevicePermission.WEB || guest.web !== undefined);
}

/** Each permission of a grant includes to view the device. */
function gives({ permissions }: AccessGrant, permission: Known): boolean {
  return permission === DevicePermission.VIEW ? permissions.length > 0 : permissions.includes(permission);
}

function isLive({ expires }: AccessGrant, now: number): boolean {
  return expires === undefined || timestampMs(expires) > now;
}

function outlasts(one: AccessGrant, other: AccessGrant | undefined): boolean {
  if (!other) return true;
  if (!other.expires) return false;
  return !one.expires || timestampMs(one.expires) > timestampMs(other.expires);
}
