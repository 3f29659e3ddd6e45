import { create } from '@bufbuild/protobuf';
import { Metric, SampleSchema, type Sample } from '@warren/proto/fleet/v1/metrics';
import type { Metrics } from './metrics.ts';
import { ColumnSet, type Series } from './series.ts';

/** How late a sample may come: agents keep a day of them while the hub is out of reach. With room for clocks that are wrong. */
const LATEST_SECONDS = 25 * 3_600;
/** Prometheus, to which remote write may send samples, refuses those 10 minutes ahead of its clock, which may be behind the hub's. */
const AHEAD_SECONDS = 300;
const MOST_NAMED = 16;
/** As many as samples are apart, for the first one of a span. */
const USUAL_SECONDS = 60;
/** Between samples: agents take one a minute. */
const LEAST_SECONDS = 20;
const MOST_BYTES = 2n ** 50n;
/** Bits of Facts.throttled that are of now. */
const THROTTLED_NOW = 0b1111;

/**
 * Keeps what a device may have measured: each value within bounds, or without it.
 * @param now seconds since 1970
 * @returns undefined for a sample of another time
 */
export function checkSample(sample: Sample, now: number): Sample | undefined {
  if (sample.time < now - LATEST_SECONDS || sample.time > now + AHEAD_SECONDS) return undefined;
  const { time, temperature, roundTripMs, boot, throttled } = sample;
  const warm = temperature !== undefined && temperature > -100 && temperature < 300;
  const round = roundTripMs !== undefined && roundTripMs >= 0 && roundTripMs < 600_000;
  return create(SampleSchema, {
    time,
    cpuPercent: bounded(sample.cpuPercent, 100),
    load1: bounded(sample.load1, 100_000),
    memoryTotal: size(sample.memoryTotal),
    memoryUsed: used(sample.memoryUsed, sample.memoryTotal),
    ...(warm && { temperature }),
    disks: sample.disks
      .filter(({ mount }) => isName(mount, 128))
      .slice(0, MOST_NAMED)
      .map((disk) => ({ ...disk, used: used(disk.used, disk.total), total: size(disk.total) })),
    interfaces: sample.interfaces
      .filter(({ name }) => isName(name, 32))
      .slice(0, MOST_NAMED)
      .map((one) => ({ ...one, rxBytes: size(one.rxBytes), txBytes: size(one.txBytes) })),
    ...(round && { roundTripMs }),
    boot: boot <= time + AHEAD_SECONDS ? boot : 0,
    ...(throttled !== undefined && { throttled }),
  });
}

const bounded = (value: number, most: number) => (value > 0 ? Math.min(value, most) : 0);
const size = (bytes: bigint) => (bytes < MOST_BYTES ? bytes : MOST_BYTES);
const used = (bytes: bigint, total: bigint) => (bytes < total ? size(bytes) : size(total));
/** Printable, and short. */
const isName = (name: string, most: number) =>
  name !== '' && name.length <= most && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(name);

/** Puts samples in order; of several of one time the last counts. Bytes become bytes a second. @param metrics those to read; all if not given */
export function seriesOf(samples: readonly Sample[], metrics?: Metrics): Series {
  const byTime = new Map(samples.map((sample) => [sample.time, sample]));
  const sorted = spaced([...byTime.values()].sort((a, b) => a.time - b.time));
  const set = new ColumnSet(sorted.length, false);
  const put = (at: number, metric: Metric, value: number, instance = '', total = 0) => {
    const column = metrics?.has(metric) === false ? undefined : set.of({ metric, instance });
    if (!column) return;
    column.average[at] = value;
    column.total = total;
  };
  for (const [at, sample] of sorted.entries()) {
    put(at, Metric.CPU, sample.cpuPercent);
    put(at, Metric.LOAD, sample.load1);
    put(at, Metric.MEMORY, Number(sample.memoryUsed), '', Number(sample.memoryTotal));
    if (sample.temperature !== undefined) put(at, Metric.TEMPERATURE, sample.temperature);
    if (sample.roundTripMs !== undefined) put(at, Metric.ROUND_TRIP, sample.roundTripMs);
    if (sample.throttled !== undefined) put(at, Metric.THROTTLED, sample.throttled & THROTTLED_NOW ? 1 : 0);
    for (const disk of sample.disks) put(at, Metric.DISK, Number(disk.used), disk.mount, Number(disk.total));
    const seconds = secondsBefore(sorted, at);
    for (const { name, rxBytes, txBytes } of sample.interfaces) {
      put(at, Metric.NETWORK_RX, Number(rxBytes) / seconds, name);
      put(at, Metric.NETWORK_TX, Number(txBytes) / seconds, name);
    }
  }
  return { times: sorted.map(({ time }) => time), counts: sorted.map(() => 1), columns: set.columns };
}

/** Leaves out what follows too closely: a device that samples without end takes no more room than others. */
function spaced(sorted: readonly Sample[]): Sample[] {
  let last = -Infinity;
  return sorted.filter(({ time }) => {
    if (time - last < LEAST_SECONDS) return false;
    last = time;
    return true;
  });
}

/**
 * What the counters of a sample cover; that of the first is not known, and taken to be that of the next. A longer gap is an agent that did
 * not run: its first sample covers the usual time again.
 */
function secondsBefore(sorted: readonly Sample[], at: number): number {
  const later = sorted[at === 0 ? 1 : at];
  const earlier = sorted[at === 0 ? 0 : at - 1];
  const gap = later && earlier ? later.time - earlier.time : USUAL_SECONDS;
  return gap > 2 * USUAL_SECONDS ? USUAL_SECONDS : gap;
}
