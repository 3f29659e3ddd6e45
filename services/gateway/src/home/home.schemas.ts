import type { MessageInitShape } from '@bufbuild/protobuf';
import { DeviceSort, type Device, type ListDevicesRequestSchema } from '@warren/proto/devices/v1/devices';
import { z } from 'zod';
import { agentVersionListSchema } from '../updates/update.schemas.ts';
import { accountFilterSchema, idSchema, isoTime, pageRequest, timeSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

const AT = '2026-01-31T08:15:30.000Z';
/** Devices of each ranking. */
const RANKED = 5;

export const homeQuery = z.object({ account: accountFilterSchema });
export type HomeQuery = z.output<typeof homeQuery>;

export const homeSchema = z
  .object({ devices: z.object({ total: z.int(), connected: z.int() }) })
  .meta({ id: 'Home', examples: [{ devices: { total: 12, connected: 11 } }] });

const rankedDeviceSchema = z.object({
  id: idSchema,
  name: z.string().describe('As people call it.'),
  account: z.object({ id: idSchema, name: z.string() }),
  status: z.enum(['Connected', 'Disconnected']),
  status_since: timeSchema,
  created: timeSchema,
  value: z.number().nullable().describe('What the ranking is by: percent, or degrees Celsius; null for times.'),
});

const rankingSchema = z
  .object({
    filter: z.string().describe('The filter of the device list with the same devices (docs/filters.md).'),
    total: z.int().describe('Devices that the filter holds for.'),
    devices: z.array(rankedDeviceSchema).max(RANKED),
  })
  .meta({ id: 'DeviceRanking' });

export const overviewSchema = z
  .object({
    longest_offline: rankingSchema,
    fullest_disks: rankingSchema,
    least_memory: rankingSchema,
    hottest: rankingSchema,
    newest: rankingSchema,
    failed_updates: rankingSchema,
    versions: agentVersionListSchema.shape.versions
      .nullable()
      .describe('Null during an upgrade from 0.1 without `updates.manage`.'),
  })
  .meta({
    id: 'Overview',
    examples: [
      {
        longest_offline: rankingExample('status=disconnected'),
        fullest_disks: rankingExample('disk>=80', 93.5),
        least_memory: rankingExample('memory>=90'),
        hottest: rankingExample('temperature>=70', 81),
        newest: rankingExample('created<30d'),
        failed_updates: rankingExample('failed_update=yes'),
        versions: null,
      },
    ],
  });

function rankingExample(filter: string, value?: number) {
  if (value === undefined) return { filter, total: 0, devices: [] };
  const times = { status: 'Connected' as const, status_since: AT, created: AT };
  return {
    filter,
    total: 1,
    devices: [{ ...FLEET.device, account: FLEET.account, ...times, value }],
  };
}

export type RankingName = Exclude<keyof z.output<typeof overviewSchema>, 'versions'>;

interface Ranking {
  filter: string;
  sort: DeviceSort;
  /** What the ranking is by, where it is a number that the device reports. */
  value?: (device: Device) => number | null;
}

const RANKINGS: Readonly<Record<RankingName, Ranking>> = {
  longest_offline: { filter: 'status=disconnected', sort: DeviceSort.LAST_SEEN },
  fullest_disks: {
    filter: 'disk>=80',
    sort: DeviceSort.DISK,
    // An older agent reports the disk of `/` alone.
    value: ({ facts }) => facts?.fullestDiskUsage ?? percent(facts?.usedDisk, facts?.totalDisk),
  },
  least_memory: {
    filter: 'memory>=90',
    sort: DeviceSort.MEMORY,
    value: ({ facts }) => percent(facts?.usedRam, facts?.totalRam),
  },
  hottest: {
    filter: 'temperature>=70',
    sort: DeviceSort.TEMPERATURE,
    value: ({ facts }) => facts?.temperature ?? null,
  },
  newest: { filter: 'created<30d', sort: DeviceSort.CREATED },
  failed_updates: { filter: 'failed_update=yes', sort: DeviceSort.LAST_SEEN },
};
export const RANKING_NAMES = Object.keys(RANKINGS) as RankingName[];

/** The list that a ranking begins. */
export function rankingRequest(
  name: RankingName,
  accountId: string,
): MessageInitShape<typeof ListDevicesRequestSchema> {
  const { filter, sort } = RANKINGS[name];
  return { page: pageRequest({ page: 1, limit: RANKED, order: 'desc' }), accountId, sort, filter };
}

export function rankingJson(
  name: RankingName,
  { total, devices }: { total: number; devices: readonly Device[] },
): z.output<typeof rankingSchema> {
  const { filter, value } = RANKINGS[name];
  return {
    filter,
    total,
    devices: devices.map((device) => ({
      id: device.id,
      name: device.customName || device.name,
      account: { id: device.accountId, name: device.accountName },
      status: device.connected ? 'Connected' : 'Disconnected',
      status_since: isoTime(device.statusSince),
      created: isoTime(device.created),
      value: value?.(device) ?? null,
    })),
  };
}

function percent(used: bigint | undefined, total: bigint | undefined): number | null {
  if (used === undefined || !total) return null;
  return Math.round((1_000 * Number(used)) / Number(total)) / 10;
}
