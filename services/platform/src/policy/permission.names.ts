import { DevicePermission } from '@warren/proto/common/v1/common';
import { GRANT_PERMISSIONS, type GrantPermission } from '@warren/rules/grants';

const BY_NAME: Readonly<Record<GrantPermission, Exclude<DevicePermission, DevicePermission.UNSPECIFIED>>> = {
  view: DevicePermission.VIEW,
  terminal: DevicePermission.TERMINAL,
  desktop: DevicePermission.DESKTOP,
  web: DevicePermission.WEB,
  manage: DevicePermission.MANAGE,
};

/** Names permissions on devices as the API and texts do; unknown ones are left out. */
export function permissionNames(permissions: readonly DevicePermission[]): GrantPermission[] {
  return GRANT_PERMISSIONS.filter((name) => permissions.includes(BY_NAME[name]));
}

/** Reverses {@link permissionNames}. */
export function permissionsOf(names: readonly GrantPermission[]): DevicePermission[] {
  return names.map((name) => BY_NAME[name]);
}
