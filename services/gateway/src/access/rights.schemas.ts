import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import { DevicePermission } from '@warren/proto/common/v1/common';
import { GRANT_PERMISSIONS, type GrantPermission } from '@warren/rules/grants';
import { z } from 'zod';
import { idSchema, timeSchema } from '../http/schemas.ts';

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

/** Why somebody may do something with a device. */
export const rightSchema = z
  .object({
    permission: permissionSchema,
    by: z.enum(['role', 'grant']),
    grant: idSchema.nullable().describe('The grant that gives it; null if the role does.'),
    until: timeSchema.nullable().describe('When the last grant that gives it expires; null if it does not.'),
  })
  .meta({ id: 'DeviceRight' });
export type RightJson = z.output<typeof rightSchema>;

interface Right {
  permission: DevicePermission;
  grantId: string;
  until?: Timestamp;
}

/** The names of permissions; unknown ones are left out. */
export function permissionNames(permissions: readonly DevicePermission[]): GrantPermission[] {
  return GRANT_PERMISSIONS.filter((name) => permissions.includes(PERMISSIONS[name]));
}

export const permissionMessages = (names: readonly GrantPermission[]): DevicePermission[] =>
  names.map((name) => PERMISSIONS[name]);

export function rightsJson(rights: readonly Right[]): RightJson[] {
  return rights.flatMap(({ permission, grantId, until }) =>
    permissionNames([permission]).map((name) => ({
      permission: name,
      by: grantId ? ('grant' as const) : ('role' as const),
      grant: grantId || null,
      until: until ? timestampDate(until).toISOString() : null,
    })),
  );
}
