import type { Sql } from '@warren/platform/database/sql';

type ChunkTable = 'samples' | 'five_minutes' | 'hours';

/** A chunk as it is stored. */
export interface ChunkRow {
  device_id: string;
  /** Seconds since 1970. */
  start: number;
  data: Buffer;
}

/** Selects the chunks of devices that begin from `from` on, before `to`; in seconds since 1970. */
export function selectChunks(
  sql: Sql,
  table: ChunkTable,
  deviceIds: readonly string[],
  [from, to]: readonly [number, number],
): Promise<ChunkRow[]> {
  return sql.query(
    `SELECT device_id, extract(epoch FROM start)::float8 AS start, data FROM ${table}
     WHERE device_id = ANY($1::uuid[]) AND start >= to_timestamp($2) AND start < to_timestamp($3) ORDER BY device_id, start`,
    [deviceIds, from, to],
  );
}

/** Selects the chunks of a device and a start each, as far as they exist. At least one is wanted. */
export function selectChunksAt(
  sql: Sql,
  table: ChunkTable,
  wanted: readonly { deviceId: string; start: number }[],
): Promise<ChunkRow[]> {
  const starts = wanted.map(({ start }) => start);
  return sql.query(
    `SELECT c.device_id, extract(epoch FROM c.start)::float8 AS start, c.data
     FROM unnest($1::uuid[], $2::float8[]) AS w (device_id, start)
     JOIN ${table} c ON c.device_id = w.device_id AND c.start = to_timestamp(w.start)
     WHERE c.start BETWEEN to_timestamp($3) AND to_timestamp($4)`,
    [wanted.map(({ deviceId }) => deviceId), starts, Math.min(...starts), Math.max(...starts)],
  );
}

/** Inserts chunks, and replaces those that exist. */
export async function upsertChunks(sql: Sql, table: ChunkTable, rows: readonly ChunkRow[]): Promise<void> {
  await sql.query(
    `INSERT INTO ${table} (device_id, start, data)
     SELECT device_id, to_timestamp(start), data FROM unnest($1::uuid[], $2::float8[], $3::bytea[]) AS c (device_id, start, data)
     ON CONFLICT (device_id, start) DO UPDATE SET data = excluded.data`,
    [rows.map((row) => row.device_id), rows.map(({ start }) => start), rows.map(({ data }) => data)],
  );
}

/** Selects what has come of devices, oldest first. @param table `incoming`, or one of its partitions */
export function selectIncoming(
  sql: Sql,
  table: string,
  deviceIds: readonly string[],
): Promise<{ device_id: string; data: Buffer }[]> {
  return sql.query(`SELECT device_id, data FROM ${table} WHERE device_id = ANY($1::uuid[]) ORDER BY received`, [
    deviceIds,
  ]);
}
