import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import { permissionNames } from '@warren/platform/policy/permission.names';
import type { DevicePermission } from '@warren/proto/common/v1/common';
import { z } from 'zod';
import { permissionSchema } from '../http/device.permissions.ts';
import { idSchema, timeSchema } from '../http/schemas.ts';

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
