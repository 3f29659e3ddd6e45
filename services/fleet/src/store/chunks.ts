import type { Sql } from '@warren/platform/database/sql';
import { decodeChunk, encodeChunk } from '../series/chunk.ts';
import type { Metrics } from '../series/metrics.ts';
import type { Series } from '../series/series.ts';
import { selectChunks, selectChunksAt, upsertChunks, type ChunkRow } from './chunks.sql.ts';

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

const chunksOf = (table: ChunkTable, rows: readonly ChunkRow[], metrics: Metrics | undefined): Chunk[] =>
  rows.map(({ device_id: deviceId, start, data }) => ({
    deviceId,
    start,
    series: decodeChunk(data, start, STEPS[table], metrics),
  }));

/** Reads the chunks of devices that begin from `from` on, before `to`; in seconds since 1970. */
export async function readChunks(
  sql: Sql,
  table: ChunkTable,
  deviceIds: readonly string[],
  span: readonly [number, number],
  metrics?: Metrics,
): Promise<Chunk[]> {
  return chunksOf(table, await selectChunks(sql, table, deviceIds, span), metrics);
}

/** Reads these chunks of devices, of those there are. */
export async function readChunksAt(
  sql: Sql,
  table: ChunkTable,
  wanted: readonly Pick<Chunk, 'deviceId' | 'start'>[],
  metrics?: Metrics,
): Promise<Chunk[]> {
  if (wanted.length === 0) return [];
  return chunksOf(table, await selectChunksAt(sql, table, wanted), metrics);
}

/** Writes chunks in place of those there are. */
export async function writeChunks(sql: Sql, table: ChunkTable, chunks: readonly Chunk[]): Promise<void> {
  if (chunks.length === 0) return;
  await upsertChunks(
    sql,
    table,
    chunks.map(({ deviceId, start, series }) => ({
      device_id: deviceId,
      start,
      data: encodeChunk(series, start, STEPS[table]),
    })),
  );
}
