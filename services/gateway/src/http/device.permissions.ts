import { DevicePermission } from '@warren/proto/common/v1/common';
import { GRANT_PERMISSIONS, type GrantPermission } from '@warren/rules/grants';
import { z } from 'zod';

const PERMISSIONS: Readonly<Record<GrantPermission, DevicePermission>> = {
  view: DevicePermission.VIEW,
  terminal: DevicePermission.TERMINAL,
  desktop: DevicePermission.DESKTOP,
  web: DevicePermission.WEB,
  manage: DevicePermission.MANAGE,
};

/** Permissions on devices. */
export const permissionSchema = z
  .enum(GRANT_PERMISSIONS)
  .describe('`terminal` includes the journal; `manage` is to reboot and update.');

/** The names of permissions; unknown ones are left out. */
export function permissionNames(permissions: readonly DevicePermission[]): GrantPermission[] {
  return GRANT_PERMISSIONS.filter((name) => permissions.includes(PERMISSIONS[name]));
}

export const permissionMessages = (names: readonly GrantPermission[]): DevicePermission[] =>
  names.map((name) => PERMISSIONS[name]);
