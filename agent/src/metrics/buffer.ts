import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { MetricsSampleSchema, type MetricsSample } from '@warren/proto/agent/v1/agent';

const MAX_BYTES = 256 * 1024;
const MAX_AGE_S = 24 * 3_600;

interface Stored {
  time: number;
  bytes: Uint8Array;
}

/** Samples that the hub has not stored yet: those of the last 24 hours, and at most 256 KiB. */
export class SampleBuffer {
  private samples: Stored[] = [];
  private bytes = 0;
  private readonly maxBytes: number;

  constructor(maxBytes = MAX_BYTES) {
    this.maxBytes = maxBytes;
  }

  /** Adds a sample, and drops the oldest if full. Ignores one with the time of the last: the hub identifies samples by time. */
  add(sample: MetricsSample): void {
    if (this.samples.at(-1)?.time === sample.time) return;
    const bytes = toBinary(MetricsSampleSchema, sample);
    this.samples.push({ time: sample.time, bytes });
    this.bytes += bytes.length;
    while (this.samples.length > 1 && (this.bytes > this.maxBytes || this.isOld(sample.time))) this.drop(1);
  }

  /** Drops the sample of a time, and all earlier ones. */
  stored(time: number): void {
    if (time > 0) this.drop(this.samples.findLastIndex((sample) => sample.time === time) + 1);
  }

  /** Returns the oldest samples. */
  oldest(limit: number): { samples: MetricsSample[]; more: boolean } {
    const samples = this.samples.slice(0, limit).map(({ bytes }) => fromBinary(MetricsSampleSchema, bytes));
    return { samples, more: this.samples.length > samples.length };
  }

  /** Tells whether the oldest sample is too old, or in the future after the clock was set back. */
  private isOld(now: number): boolean {
    return Math.abs(now - (this.samples[0]?.time ?? now)) > MAX_AGE_S;
  }

  private drop(count: number): void {
    for (const { bytes } of this.samples.splice(0, count)) this.bytes -= bytes.length;
  }
}
