import type { Sample } from '@warren/proto/fleet/v1/metrics';

/** The latest sample of a device, as the columns of `devices` have it. */
const TYPES = {
  sampled_at: 'timestamptz',
  cpu: 'real',
  load: 'real',
  memory_used: 'bigint',
  memory_total: 'bigint',
  temperature: 'smallint',
  round_trip: 'real',
  throttled: 'bigint',
  booted_at: 'timestamptz',
  disks: 'jsonb',
};

export const LATEST_NAMES = Object.keys(TYPES);
export const LATEST_DECLARED = Object.entries(TYPES).map(([name, type]) => `${name} ${type}`);

/** The newest of samples, as a row for `jsonb_to_recordset`; undefined without samples. */
export function latestOf(id: string, samples: readonly Sample[]): Record<string, unknown> | undefined {
  const [first, ...others] = samples;
  if (!first) return undefined;
  const newest = others.reduce((best, one) => (one.time > best.time ? one : best), first);
  return {
    id,
    sampled_at: timeText(newest.time),
    cpu: newest.cpuPercent,
    load: newest.load1,
    memory_used: String(newest.memoryUsed),
    memory_total: String(newest.memoryTotal),
    temperature: newest.temperature,
    round_trip: newest.roundTripMs,
    throttled: newest.throttled,
    booted_at: newest.boot === 0 ? undefined : timeText(newest.boot),
    disks: newest.disks.map(({ mount, used, total }) => ({ mount, used: Number(used), total: Number(total) })),
  };
}

const timeText = (seconds: number) => new Date(seconds * 1_000).toISOString();
