import type { EntityManager } from 'typeorm';
import { decodeChunk, encodeChunk } from '../series/chunk.ts';
import type { Metrics } from '../series/metrics.ts';
import type { Series } from '../series/series.ts';

/** Tables of chunks: the step of their points, in seconds. */
export const STEPS = { samples: 1, five_minutes: 300, hours: 3_600 } as const;
export type ChunkTable = keyof typeof STEPS;

/** A chunk of a device. */
export interface Chunk {
  deviceId: string;
  /** Seconds since 1970. */
  start: number;
  series: Series;
}

interface Row {
  device_id: string;
  start: number;
  data: Buffer;
}

const COLUMNS = 'device_id, extract(epoch FROM start)::float8 AS start, data';

const chunksOf = (table: ChunkTable, rows: readonly Row[], metrics: Metrics | undefined): Chunk[] =>
  rows.map(({ device_id: deviceId, start, data }) => ({
    deviceId,
    start,
    series: decodeChunk(data, start, STEPS[table], metrics),
  }));

type Reader = Pick<EntityManager, 'query'>;

/** Reads the chunks of devices that begin from `from` on, before `to`; in seconds since 1970. */
export async function readChunks(
  source: Reader,
  table: ChunkTable,
  deviceIds: readonly string[],
  [from, to]: readonly [number, number],
  metrics?: Metrics,
): Promise<Chunk[]> {
  const rows = await source.query<Row[]>(
    `SELECT ${COLUMNS} FROM ${table}
     WHERE device_id = ANY($1::uuid[]) AND start >= to_timestamp($2) AND start < to_timestamp($3) ORDER BY device_id, start`,
    [deviceIds, from, to],
  );
  return chunksOf(table, rows, metrics);
}

/** Reads these chunks of devices, of those there are. */
export async function readChunksAt(
  source: Reader,
  table: ChunkTable,
  wanted: readonly Pick<Chunk, 'deviceId' | 'start'>[],
  metrics?: Metrics,
): Promise<Chunk[]> {
  if (wanted.length === 0) return [];
  const starts = wanted.map(({ start }) => start);
  const rows = await source.query<Row[]>(
    `SELECT c.device_id, extract(epoch FROM c.start)::float8 AS start, c.data
     FROM unnest($1::uuid[], $2::float8[]) AS w (device_id, start)
     JOIN ${table} c ON c.device_id = w.device_id AND c.start = to_timestamp(w.start)
     WHERE c.start BETWEEN to_timestamp($3) AND to_timestamp($4)`,
    [wanted.map(({ deviceId }) => deviceId), starts, Math.min(...starts), Math.max(...starts)],
  );
  return chunksOf(table, rows, metrics);
}

/** Writes chunks in place of those there are. */
export async function writeChunks(manager: Reader, table: ChunkTable, chunks: readonly Chunk[]): Promise<void> {
  if (chunks.length === 0) return;
  await manager.query(
    `INSERT INTO ${table} (device_id, start, data)
     SELECT device_id, to_timestamp(start), data FROM unnest($1::uuid[], $2::float8[], $3::bytea[]) AS c (device_id, start, data)
     ON CONFLICT (device_id, start) DO UPDATE SET data = excluded.data`,
    [
      chunks.map(({ deviceId }) => deviceId),
      chunks.map(({ start }) => start),
      chunks.map(({ start, series }) => encodeChunk(series, start, STEPS[table])),
    ],
  );
}
