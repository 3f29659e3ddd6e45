import { create, toBinary } from '@bufbuild/protobuf';
import { RemoteWriteRequestSchema } from '@warren/proto/fleet/v1/remote_write';
import { compress } from 'snappyjs';
import type { SeriesInit } from './device.series.ts';

/** Encodes the body of a request of remote write 1.0: protobuf, in snappy's block format. */
export function encodeRequest(timeseries: readonly SeriesInit[]): Uint8Array {
  return compress(
    toBinary(RemoteWriteRequestSchema, create(RemoteWriteRequestSchema, { timeseries: [...timeseries] })),
  );
}
