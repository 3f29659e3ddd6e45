import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { SampleBatchSchema } from '@warren/proto/fleet/v1/chunks';
import type { Sample } from '@warren/proto/fleet/v1/metrics';
import type { EntityManager } from 'typeorm';

/** The samples of one device in a report, checked. */
export interface Batch {
  deviceId: string;
  samples: readonly Sample[];
}

/** Encodes samples as a row of `incoming` has them. */
export function encodeBatch(samples: readonly Sample[]): Buffer {
  return Buffer.from(toBinary(SampleBatchSchema, create(SampleBatchSchema, { samples: [...samples] })));
}

interface Row {
  device_id: string;
  data: Buffer;
}

/** Reads what has come of devices and may not be in chunks yet. @param table `incoming`, or one of its partitions */
export async function readIncoming(
  source: Pick<EntityManager, 'query'>,
  deviceIds: readonly string[],
  table = 'incoming',
): Promise<Map<string, Sample[]>> {
  const rows = await source.query<Row[]>(
    `SELECT device_id, data FROM ${table} WHERE device_id = ANY($1::uuid[]) ORDER BY received`,
    [deviceIds],
  );
  const samples = new Map<string, Sample[]>();
  for (const { device_id: id, data } of rows) {
    const known = samples.get(id) ?? [];
    for (const sample of fromBinary(SampleBatchSchema, data).samples) known.push(sample);
    samples.set(id, known);
  }
  return samples;
}
