import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Sql } from '@warren/platform/database/sql';
import { SampleBatchSchema } from '@warren/proto/fleet/v1/chunks';
import type { Sample } from '@warren/proto/fleet/v1/metrics';
import { selectIncoming } from './chunks.sql.ts';

/** The samples of one device in a report, checked. */
export interface Batch {
  deviceId: string;
  samples: readonly Sample[];
}

/** The time of a device's newest sample, in seconds since 1970, by device id. */
export type NewestTimes = ReadonlyMap<string, number>;

/** Encodes samples as a row of `incoming` has them. */
export function encodeBatch(samples: readonly Sample[]): Buffer {
  return Buffer.from(toBinary(SampleBatchSchema, create(SampleBatchSchema, { samples: [...samples] })));
}

/** Reads what has come of devices and may not be in chunks yet. @param table `incoming`, or one of its partitions */
export async function readIncoming(
  sql: Sql,
  deviceIds: readonly string[],
  table = 'incoming',
): Promise<Map<string, Sample[]>> {
  const rows = await selectIncoming(sql, table, deviceIds);
  const samples = new Map<string, Sample[]>();
  for (const { device_id: id, data } of rows) {
    const known = samples.get(id) ?? [];
    for (const sample of fromBinary(SampleBatchSchema, data).samples) known.push(sample);
    samples.set(id, known);
  }
  return samples;
}
