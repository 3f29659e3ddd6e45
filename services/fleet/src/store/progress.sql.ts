import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';

/** Sorts before every id of a device. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Reads the names of partitions that are done. */
export async function donePartitions(sql: Sql): Promise<Set<string>> {
  const rows = await sql.query<{ partition: string }[]>('SELECT partition FROM progress WHERE done');
  return new Set(rows.map(({ partition }) => partition));
}

/** Reads the next devices of a partition after those of earlier batches. @returns undefined if the partition does not exist */
export async function nextDevices(
  manager: EntityManager,
  partition: string,
  limit: number,
): Promise<string[] | undefined> {
  const [found] = await manager.query<{ there: boolean; after: string | null }[]>(
    `SELECT to_regclass($1) IS NOT NULL AS there, (SELECT device_id FROM progress WHERE partition = $1) AS after`,
    [partition],
  );
  if (!found?.there) return undefined;
  const rows = await manager.query<{ id: string }[]>(
    `SELECT DISTINCT device_id AS id FROM ${partition} WHERE device_id > $1 ORDER BY device_id LIMIT ${limit}`,
    [found.after ?? FIRST],
  );
  return rows.map(({ id }) => id);
}

/** Locks the devices that are not deleted, so that they aren't until the transaction ends. @returns their ids */
export async function lockKnown(manager: EntityManager, ids: readonly string[]): Promise<string[]> {
  const rows = await manager.query<{ id: string }[]>(
    'SELECT id FROM devices WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE',
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Records the last device of a partition that is compacted. */
export async function saveProgress(manager: EntityManager, partition: string, deviceId: string): Promise<void> {
  await manager.query(
    'INSERT INTO progress (partition, device_id) VALUES ($1, $2) ON CONFLICT (partition) DO UPDATE SET device_id = $2',
    [partition, deviceId],
  );
}

/** Records that all devices of a partition are done. */
export async function markDone(manager: EntityManager, partition: string): Promise<void> {
  await manager.query(
    'INSERT INTO progress (partition, device_id, done) VALUES ($1, $2, true) ON CONFLICT (partition) DO UPDATE SET done = true',
    [partition, FIRST],
  );
}
