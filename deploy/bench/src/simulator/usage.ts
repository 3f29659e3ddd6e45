import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  MetricsBatchSchema,
  MetricsSampleSchema,
  TakeMetricsRequestSchema,
  type MetricsBatch,
  type MetricsSample,
} from '@warren/proto/agent/v1/agent';
import { END_STREAM, envelope, ENVELOPE_HEAD } from '@warren/proto/envelope';
import type { ServerHttp2Stream } from 'node:http2';
import { buffer } from 'node:stream/consumers';

const INTERVAL_S = 60;
/** Of a device that has just started. */
const FIRST_SAMPLES = 2;
const DAY_S = 86_400;
const GIGABYTE = 1n << 30n;

/** A number about `middle` that follows the hour of the day, and never comes twice: figures that stay the same take no room in the database. */
function about(middle: number, time: number): number {
  const daily = 1 + 0.3 * Math.sin((2 * Math.PI * (time % DAY_S)) / DAY_S);
  return middle * daily * (0.8 + 0.4 * Math.random());
}

const bytes = (amount: number) => BigInt(Math.round(amount));

/** The usage of a device with two disks, two interfaces and a sensor. @param time seconds since 1970 */
export function usageAt(time: number): MetricsSample {
  return create(MetricsSampleSchema, {
    time,
    cpuPercent: about(20, time),
    load1: about(0.6, time),
    memoryUsed: bytes(about(1.5e9, time)),
    memoryTotal: 4n * GIGABYTE,
    temperature: Math.round(about(45, time)),
    disks: [
      { mount: '/', used: bytes(about(8e9, time)), total: 32n * GIGABYTE },
      { mount: '/data', used: bytes(about(40e9, time)), total: 128n * GIGABYTE },
    ],
    interfaces: [
      { name: 'eth0', rxBytes: bytes(about(300_000, time)), txBytes: bytes(about(90_000, time)) },
      { name: 'wlan0', rxBytes: bytes(about(20_000, time)), txBytes: bytes(about(5_000, time)) },
    ],
    boot: 1_790_000_000,
    throttled: 0,
  });
}

/** The samples after the newest one that the hub has stored, one a minute. @param now seconds since 1970 */
export function usageAfter(stored: number, limit: number, now: number): Pick<MetricsBatch, 'samples' | 'more'> {
  const last = now - (now % INTERVAL_S);
  const first = stored > 0 ? stored + INTERVAL_S : last - (FIRST_SAMPLES - 1) * INTERVAL_S;
  const due = Math.max(0, Math.floor((last - first) / INTERVAL_S) + 1);
  const samples = Array.from({ length: Math.min(due, limit) }, (_, at) => usageAt(first + at * INTERVAL_S));
  return { samples, more: due > limit };
}

/** Answers a call for samples by hand, as facts are (Connect protocol, server streaming). */
export async function serveUsage(stream: ServerHttp2Stream): Promise<void> {
  stream.on('error', () => {});
  const request = await buffer(stream).catch(() => undefined);
  if (!request || stream.destroyed) return;
  const { stored, limit } = fromBinary(TakeMetricsRequestSchema, request.subarray(ENVELOPE_HEAD));
  const batch = create(MetricsBatchSchema, usageAfter(stored, limit, Math.floor(Date.now() / 1_000)));
  stream.respond({ ':status': 200, 'content-type': 'application/connect+proto' });
  stream.write(envelope(0, toBinary(MetricsBatchSchema, batch)));
  stream.end(envelope(END_STREAM, Buffer.from('{}')));
}
