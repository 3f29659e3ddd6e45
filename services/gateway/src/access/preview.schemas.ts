import { GRANT_PERMISSIONS, type GrantPermission } from '@warren/rules/grants';
import { z } from 'zod';
import { FLEET } from '../http/example.fleet.ts';
import { pageFields, totalSchema } from '../http/schemas.ts';
import { personSchema, programSchema } from './access.schemas.ts';

const MOST_PREVIEWED = 50;
export const previewQuery = z.object(pageFields(MOST_PREVIEWED)).transform(({ limit, ...query }) => ({
  ...query,
  limit: Math.min(limit, MOST_PREVIEWED),
}));
export type PreviewQuery = z.output<typeof previewQuery>;

/** A number for each permission. */
export type ByPermission = Record<GrantPermission, number>;

/** Makes a number for each permission. */
export function byPermission(number: (permission: GrantPermission) => number): ByPermission {
  return Object.fromEntries(GRANT_PERMISSIONS.map((permission) => [permission, number(permission)])) as ByPermission;
}

const byPermissionSchema = z.object({
  view: z.int(),
  terminal: z.int(),
  desktop: z.int(),
  web: z.int(),
  manage: z.int(),
});

const lossFields = {
  devices: z.int().describe('Devices that grants let them view.'),
  keeps: byPermissionSchema.describe('Devices on which they have each permission with explicit grants.'),
  loses: byPermissionSchema.describe('Devices on which they have each permission only by default.'),
};

/** What explicit grants would leave to members, and take from them. */
export const accessPreviewSchema = z
  .object({
    devices: z.int().describe('Devices of the account, all of which members see by default.'),
    total: totalSchema.describe('Members on all pages.'),
    losing: z
      .object({
        all: z.int().describe('Active members of the account.'),
        members: z.int().describe('Members who lose a permission on a device.'),
        service_accounts: z.int().describe('Service accounts that lose a permission on a device.'),
        permissions: byPermissionSchema.describe('Members and service accounts that lose each permission on a device.'),
      })
      .describe('Counts over the whole account, independent of page and search.'),
    members: z.array(personSchema.extend(lossFields)).describe('Members, largest losses first.'),
    service_accounts: z
      .array(programSchema.extend(lossFields))
      .describe('Active service accounts of the role Member, largest losses first, on every page.'),
  })
  .meta({
    id: 'AccessPreview',
    examples: [
      {
        devices: 12,
        total: 1,
        losing: {
          all: 1,
          members: 1,
          service_accounts: 0,
          permissions: { view: 1, terminal: 1, desktop: 1, web: 1, manage: 0 },
        },
        members: [
          {
            ...FLEET.member,
            role: 'Member',
            group: FLEET.group.name,
            devices: 5,
            keeps: { view: 5, terminal: 5, desktop: 0, web: 0, manage: 0 },
            loses: { view: 7, terminal: 7, desktop: 12, web: 12, manage: 0 },
          },
        ],
        service_accounts: [],
      },
    ],
  });
