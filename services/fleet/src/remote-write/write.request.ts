import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { SampleBatchSchema } from '@warren/proto/fleet/v1/chunks';
import type { Sample } from '@warren/proto/fleet/v1/metrics';
import { RemoteWriteRequestSchema } from '@warren/proto/fleet/v1/remote_write';
import { compress } from 'snappyjs';
import { deviceSeries, type DeviceLabels, type SeriesInit } from './device.series.ts';
import type { InstanceNames } from './instance.names.ts';
import type { Waiting } from './report.queue.ts';

/** Samples of one device. */
interface Part {
  id: string;
  samples: readonly Sample[];
}

/** The samples of one request of remote write. */
export class WriteRequest {
  private encoded: Uint8Array | undefined;

  private constructor(private parts: readonly Part[]) {}

  static of(waiting: readonly Waiting[]): WriteRequest {
    const byDevice = Map.groupBy(waiting, ({ deviceId }) => deviceId);
    return new WriteRequest(
      [...byDevice].map(([id, reports]) => ({
        id,
        samples: reports.flatMap(({ data }) => fromBinary(SampleBatchSchema, data).samples),
      })),
    );
  }

  /** The devices with samples. */
  get ids(): string[] {
    return this.parts.map(({ id }) => id);
  }

  get samples(): number {
    return this.parts.reduce((sum, { samples }) => sum + samples.length, 0);
  }

  /** The body; undefined until it is encoded, and again after samples were left out. */
  get body(): Uint8Array | undefined {
    return this.encoded;
  }

  /** Leaves out the samples up to a time. @param until seconds since 1970 @returns how many were left out */
  leaveOutUntil(until: number): number {
    return this.keep(
      this.parts.map(({ id, samples }) => ({ id, samples: samples.filter(({ time }) => time > until) })),
    );
  }

  /**
   * Encodes the body, and leaves out devices without labels.
   * @param names which mount points and interfaces have series
   * @returns the number of samples that were left out
   */
  encode(labels: ReadonlyMap<string, DeviceLabels>, names: InstanceNames): number {
    const leftOut = this.keep(this.parts.filter(({ id }) => labels.has(id)));
    this.encoded = encodeSeries(
      this.parts.flatMap(({ id, samples }) => {
        const device = labels.get(id);
        return device ? deviceSeries(device, samples, names) : [];
      }),
    );
    return leftOut;
  }

  /** Splits the request by device. */
  halves(): WriteRequest[] {
    const middle = Math.ceil(this.parts.length / 2);
    return [new WriteRequest(this.parts.slice(0, middle)), new WriteRequest(this.parts.slice(middle))];
  }

  private keep(parts: readonly Part[]): number {
    const before = this.samples;
    this.parts = parts.filter(({ samples }) => samples.length > 0);
    const leftOut = before - this.samples;
    if (leftOut > 0) this.encoded = undefined;
    return leftOut;
  }
}

/** Encodes the body of a request of remote write 1.0: protobuf, in snappy's block format. */
function encodeSeries(timeseries: readonly SeriesInit[]): Uint8Array {
  return compress(
    toBinary(RemoteWriteRequestSchema, create(RemoteWriteRequestSchema, { timeseries: [...timeseries] })),
  );
}
