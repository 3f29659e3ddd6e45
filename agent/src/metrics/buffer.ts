import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { MetricsBatchSchema, MetricsSampleSchema, type MetricsSample } from '@warren/proto/agent/v1/agent';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const MAX_BYTES = 256 * 1024;
const MAX_AGE_S = 24 * 3_600;
/** Samples that are packed together: an hour. */
const PACKED = 60;

interface Stored {
  time: number;
  bytes: Uint8Array;
}

/** Samples that follow one another, compressed: names and totals repeat in each. */
interface Pack {
  first: number;
  count: number;
  bytes: Uint8Array;
}

/**
 * Samples that the hub has not stored yet: those of the last 24 hours, and at most 256 KiB. They wait in packs of an hour, so that a day of
 * a device with 8 disks and 8 interfaces has room.
 */
export class SampleBuffer {
  /** The oldest ones, which the hub gets next. */
  private oldestOnes: Stored[] = [];
  private packs: Pack[] = [];
  private newest: Stored[] = [];
  private lastTime: number | undefined;
  private bytes = 0;
  private readonly maxBytes: number;

  constructor(maxBytes = MAX_BYTES) {
    this.maxBytes = maxBytes;
  }

  /** Adds a sample, and drops the oldest if full. Ignores one with the time of the last: the hub identifies samples by time. */
  add(sample: MetricsSample): void {
    const { time } = sample;
    if (this.lastTime === time) return;
    this.lastTime = time;
    const bytes = toBinary(MetricsSampleSchema, sample);
    this.newest.push({ time, bytes });
    this.bytes += bytes.length;
    if (this.newest.length >= PACKED) this.pack();
    while (this.length > 1 && (this.bytes > this.maxBytes || this.isOld(time))) this.dropOldest();
  }

  /** Drops the sample of a time, and all earlier ones. */
  stored(time: number): void {
    if (time <= 0) return;
    // The hub stores what it has got, which was unpacked for it.
    const at = this.oldestOnes.findLastIndex((sample) => sample.time === time);
    for (const { bytes } of this.oldestOnes.splice(0, at + 1)) this.bytes -= bytes.length;
  }

  /** Returns the oldest samples. */
  oldest(limit: number): { samples: MetricsSample[]; more: boolean } {
    while (this.oldestOnes.length < limit && this.unpack());
    const samples = this.oldestOnes.slice(0, limit).map(({ bytes }) => fromBinary(MetricsSampleSchema, bytes));
    return { samples, more: this.length > samples.length };
  }

  private get length(): number {
    return this.packs.reduce((sum, { count }) => sum + count, this.oldestOnes.length + this.newest.length);
  }

  /** Tells whether the oldest sample is too old, or in the future after the clock was set back. */
  private isOld(now: number): boolean {
    const oldest = this.oldestOnes[0]?.time ?? this.packs[0]?.first ?? this.newest[0]?.time ?? now;
    return Math.abs(now - oldest) > MAX_AGE_S;
  }

  private pack(): void {
    const samples = this.newest.map(({ bytes }) => fromBinary(MetricsSampleSchema, bytes));
    const bytes = deflateRawSync(toBinary(MetricsBatchSchema, create(MetricsBatchSchema, { samples })));
    for (const one of this.newest) this.bytes -= one.bytes.length;
    this.packs.push({ first: samples[0]?.time ?? 0, count: samples.length, bytes });
    this.bytes += bytes.length;
    this.newest = [];
  }

  /** Moves the oldest samples that wait to those that the hub gets next. @returns false if none wait */
  private unpack(): boolean {
    const pack = this.packs.shift();
    const samples = pack ? unpacked(pack) : this.newest.splice(0);
    if (pack) this.bytes += samples.reduce((sum, { bytes }) => sum + bytes.length, -pack.bytes.length);
    this.oldestOnes.push(...samples);
    return samples.length > 0;
  }

  private dropOldest(): void {
    if (this.oldestOnes.length === 0) this.unpack();
    this.bytes -= this.oldestOnes.shift()?.bytes.length ?? 0;
  }
}

function unpacked({ bytes }: Pack): Stored[] {
  const { samples } = fromBinary(MetricsBatchSchema, inflateRawSync(bytes));
  return samples.map((sample) => ({ time: sample.time, bytes: toBinary(MetricsSampleSchema, sample) }));
}
