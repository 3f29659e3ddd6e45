import type { DeviceScope } from '@warren/platform/policy/device.access';
import type { AccessGrant } from '@warren/proto/common/v1/common';
import type { EntityManager } from 'typeorm';
import { anyGrant } from '../access/grants.sql.ts';
import { onlyOf, type FilterUse } from '../filters/device.filter.ts';
import { NARROW } from '../filters/filter.sql.ts';

const NAME = `COALESCE(NULLIF(d.custom_name, ''), d.name)`;
const INSERT = 'INSERT INTO bulk_devices (job_id, device_id, place, device_name, account_id, state, code, reason)';

/** What is known of a device when a job starts. */
export interface Selection {
  jobId: string;
  /** The devices that the person may see. */
  sight: DeviceScope;
  /** The account where the person may take the action; undefined for all. */
  allowed: string | undefined;
  /** If set, the person may take it only where one of these holds. */
  granted?: readonly AccessGrant[] | undefined;
  /** The action needs a connection. */
  needsLink: boolean;
  texts: { offline: string; denied: string; missing: string };
}

/** What a device begins as: waiting, or failed for a reason that is known at once. */
function beginning(first: number, granted: string): string {
  const allowed = `$${first}::uuid`;
  const offline = `$${first + 2}::text`;
  const denied = `$${first + 3}::text`;
  const refused = `(${allowed} IS NOT NULL AND d.account_id <> ${allowed} OR NOT COALESCE(${granted}, false))`;
  const away = `$${first + 1}::boolean AND NOT d.connected`;
  return `CASE WHEN ${refused} OR (${away}) THEN 'failed' ELSE 'waiting' END,
    CASE WHEN ${refused} THEN 'permission_denied' WHEN ${away} THEN 'offline' ELSE '' END,
    CASE WHEN ${refused} THEN ${denied} WHEN ${away} THEN ${offline} ELSE '' END`;
}

/** The condition of grants; none holds for every device. */
async function holding(manager: EntityManager, grants: readonly AccessGrant[] | undefined, use: FilterUse) {
  return grants ? (await anyGrant(manager, grants, use)).sql : 'true';
}

/** Adds the devices of these ids. Those that the person may not see are added as failed. */
export async function selectByIds(manager: EntityManager, ids: readonly string[], of: Selection): Promise<void> {
  const { sight, texts } = of;
  const { jobId, allowed = null, needsLink } = of;
  const values: unknown[] = [jobId, ids, sight.accountId ?? null, allowed, needsLink, texts.offline, texts.denied];
  const seen = await holding(manager, sight.grants, { accountIds: onlyOf(sight.accountId), values });
  const granted = await holding(manager, of.granted, { accountIds: onlyOf(of.allowed), values });
  await manager.query(
    `${INSERT}
     SELECT $1::uuid, d.id, row_number() OVER (ORDER BY d.sort_name, d.id), ${NAME}, d.account_id, ${beginning(4, granted)}
     FROM devices d ${NARROW}
     WHERE d.id = ANY($2::uuid[]) AND ($3::uuid IS NULL OR d.account_id = $3) AND ${seen}`,
    values,
  );
  await manager.query(
    `${INSERT}
     SELECT $1::uuid, id, 0, '', NULL, 'failed', 'not_found', $3::text FROM unnest($2::uuid[]) AS id
     ON CONFLICT (job_id, device_id) DO NOTHING`,
    [jobId, ids, texts.missing],
  );
}

/**
 * Adds the devices that a condition holds for.
 * @param from FROM and WHERE over `devices d`, and over `narrow_devices n` with grants
 * @returns how many
 */
export async function selectMatching(
  manager: EntityManager,
  { from, values: before, most }: { from: string; values: readonly unknown[]; most: number },
  of: Selection,
): Promise<number> {
  const first = before.length + 1;
  const { jobId, allowed = null, needsLink, texts } = of;
  const values: unknown[] = [...before, jobId, allowed, needsLink, texts.offline, texts.denied];
  const granted = await holding(manager, of.granted, { accountIds: onlyOf(of.allowed), values });
  const rows = await manager.query<unknown[]>(
    `${INSERT}
     SELECT $${first}::uuid, d.id, row_number() OVER (ORDER BY d.sort_name, d.id), ${NAME}, d.account_id, ${beginning(first + 1, granted)}
     ${from} LIMIT ${most} RETURNING 1`,
    values,
  );
  return rows.length;
}
