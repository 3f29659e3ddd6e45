import type { Sql } from '@warren/platform/database/sql';

/** When the disk of a device that fills first is full. */
export interface DiskTrend {
  device_id: string;
  mount: string;
  full_at: Date;
}

/** Devices that report and whose trend was not looked at since, those never looked at first. */
export async function readDue(sql: Sql, { before, limit }: { before: Date; limit: number }): Promise<string[]> {
  const rows = await sql.query<{ id: string }[]>(
    `SELECT d.id FROM devices d LEFT JOIN disk_trends t ON t.device_id = d.id
     WHERE d.sampled_at > $1::timestamptz - interval '1 day' AND (t.looked_at IS NULL OR t.looked_at < $1)
     ORDER BY t.looked_at NULLS FIRST LIMIT ${limit}`,
    [before],
  );
  return rows.map(({ id }) => id);
}

/** Writes what was found of devices, which may be no trend. */
export async function writeTrends(
  sql: Sql,
  found: readonly { id: string; mount: string | undefined; fullAt: Date | undefined }[],
  now: Date,
): Promise<void> {
  await sql.query(
    `INSERT INTO disk_trends (device_id, looked_at, mount, full_at)
     SELECT d.id, $2, f.mount, f."fullAt" FROM jsonb_to_recordset($1) AS f (id uuid, mount text, "fullAt" timestamptz)
       JOIN devices d ON d.id = f.id
     ON CONFLICT (device_id) DO UPDATE SET looked_at = excluded.looked_at, mount = excluded.mount, full_at = excluded.full_at`,
    [JSON.stringify(found), now],
  );
}

/** Devices of accounts of which a disk is full by then. */
export function readFull(sql: Sql, accountIds: readonly string[], before: Date): Promise<DiskTrend[]> {
  return sql.query<DiskTrend[]>(
    `SELECT t.device_id, t.mount, t.full_at FROM disk_trends t JOIN devices d ON d.id = t.device_id
     WHERE d.account_id = ANY($1::uuid[]) AND t.full_at < $2 ORDER BY t.device_id`,
    [accountIds, before],
  );
}
