import type { EntityManager } from 'typeorm';

const NAME = `COALESCE(NULLIF(d.custom_name, ''), d.name)`;
const INSERT = 'INSERT INTO bulk_devices (job_id, device_id, place, device_name, account_id, state, code, reason)';

/** What is known of a device when a job starts. */
export interface Selection {
  jobId: string;
  /** The account that the person may see; undefined for all. */
  sight: string | undefined;
  /** The account where the person may take the action; undefined for all. */
  allowed: string | undefined;
  /** The action needs a connection. */
  needsLink: boolean;
  texts: { offline: string; denied: string; missing: string };
}

/** What a device begins as: waiting, or failed for a reason that is known at once. */
function beginning(first: number): string {
  const allowed = `$${first}::uuid`;
  const offline = `$${first + 2}::text`;
  const denied = `$${first + 3}::text`;
  const refused = `${allowed} IS NOT NULL AND d.account_id <> ${allowed}`;
  const away = `$${first + 1}::boolean AND NOT d.connected`;
  return `CASE WHEN ${refused} OR (${away}) THEN 'failed' ELSE 'waiting' END,
    CASE WHEN ${refused} THEN 'permission_denied' WHEN ${away} THEN 'offline' ELSE '' END,
    CASE WHEN ${refused} THEN ${denied} WHEN ${away} THEN ${offline} ELSE '' END`;
}

/** Adds the devices of these ids. Those that the person may not see are added as failed. */
export async function selectByIds(manager: EntityManager, ids: readonly string[], of: Selection): Promise<void> {
  await manager.query(
    `${INSERT}
     SELECT $1::uuid, d.id, row_number() OVER (ORDER BY d.sort_name, d.id), ${NAME}, d.account_id, ${beginning(4)}
     FROM devices d WHERE d.id = ANY($2::uuid[]) AND ($3::uuid IS NULL OR d.account_id = $3)`,
    [of.jobId, ids, of.sight ?? null, of.allowed ?? null, of.needsLink, of.texts.offline, of.texts.denied],
  );
  await manager.query(
    `${INSERT}
     SELECT $1::uuid, id, 0, '', NULL, 'failed', 'not_found', $3::text FROM unnest($2::uuid[]) AS id
     ON CONFLICT (job_id, device_id) DO NOTHING`,
    [of.jobId, ids, of.texts.missing],
  );
}

/** Adds the devices that a condition holds for. @param from FROM and WHERE over `devices d` @returns how many */
export async function selectMatching(
  manager: EntityManager,
  { from, values, most }: { from: string; values: readonly unknown[]; most: number },
  of: Selection,
): Promise<number> {
  const first = values.length + 1;
  const rows = await manager.query<unknown[]>(
    `${INSERT}
     SELECT $${first}::uuid, d.id, row_number() OVER (ORDER BY d.sort_name, d.id), ${NAME}, d.account_id, ${beginning(first + 1)}
     ${from} LIMIT ${most} RETURNING 1`,
    [...values, of.jobId, of.allowed ?? null, of.needsLink, of.texts.offline, of.texts.denied],
  );
  return rows.length;
}
