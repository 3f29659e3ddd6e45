import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { MetricsSampleSchema } from '@warren/proto/agent/v1/agent';
import { SampleBatchSchema } from '@warren/proto/fleet/v1/chunks';
import { SampleSchema } from '@warren/proto/fleet/v1/metrics';
import type pg from 'pg';
import { usageAt } from '../simulator/usage.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTES = 60;
/** Samples of a report: tunnels asks each device every two minutes. */
const REPORTED = 2;

/** Fleet's tables in partitions, by the digits of a partition's name. */
const DIGITS = { incoming: 10, samples: 8, five_minutes: 8, hours: 6 } as const;
export type HistoryTable = keyof typeof DIGITS;

/** Names a partition as fleet does. */
export function partitionName(table: HistoryTable, from: Date): string {
  return `${table}_${from.toISOString().replace(/\D/g, '').slice(0, DIGITS[table])}`;
}

/** The day that ended with the last midnight, and the months before the present one; in UTC. */
export const dayBefore = (now: Date, days = 1) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - days));
export const monthBefore = (now: Date, months: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months));

async function createPartition(client: pg.Client, table: HistoryTable, from: Date, to: Date): Promise<void> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${partitionName(table, from)} PARTITION OF ${table}
     FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
  );
}

/** Removes all history of an earlier run; the devices stay. */
export async function clearHistory(client: pg.Client): Promise<void> {
  await client.query('SET statement_timeout = 0');
  await client.query('TRUNCATE incoming, samples, five_minutes, hours, progress, boots');
}

/** The ids of so many devices that have reported. */
export async function reportedDevices(client: pg.Client, count: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM devices ORDER BY id LIMIT $1', [count]);
  return rows.map(({ id }) => id);
}

/** Inserts the reports of a day as if they had come in its hours: fleet sums them up in its next round. */
export async function insertDay(client: pg.Client, ids: readonly string[], day: Date): Promise<void> {
  // In one transaction, so that fleet sees all of it or nothing.
  await client.query('BEGIN');
  for (let hour = 0; hour < 24; hour++) {
    const from = new Date(day.getTime() + hour * HOUR_MS);
    await createPartition(client, 'incoming', from, new Date(from.getTime() + HOUR_MS));
    const rows = ids.flatMap((id) =>
      Array.from({ length: MINUTES / REPORTED }, (_, at) => reportAt(id, from.getTime() + at * REPORTED * 60_000)),
    );
    await client.query(
      `INSERT INTO incoming (device_id, received, data) SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::bytea[])`,
      [rows.map(({ id }) => id), rows.map(({ received }) => received), rows.map(({ data }) => data)],
    );
  }
  await client.query('COMMIT');
}

function reportAt(id: string, ms: number) {
  const samples = Array.from({ length: REPORTED }, (_, at) => {
    // The same fields have the same numbers in both; the hub adds the round trip.
    const sample = fromBinary(SampleSchema, toBinary(MetricsSampleSchema, usageAt(ms / 1_000 + at * 60)));
    sample.roundTripMs = 10 + 20 * Math.random();
    return sample;
  });
  const data = Buffer.from(toBinary(SampleBatchSchema, create(SampleBatchSchema, { samples })));
  return { id, received: new Date(ms), data };
}

/** Whether a month has been summed up. */
export async function hasYear(client: pg.Client, month: Date): Promise<boolean> {
  const { rows } = await client.query('SELECT FROM hours WHERE start = $1 LIMIT 1', [month]);
  return rows.length > 0;
}

/** How many partitions of reports wait to be summed up. */
export async function waitingHours(client: pg.Client, now: Date): Promise<number> {
  return countPartitions(client, 'incoming', partitionName('incoming', now));
}

/** How many days of a month have not been summed up. */
export async function waitingDays(client: pg.Client, month: Date): Promise<number> {
  return countPartitions(client, 'five_minutes', partitionName('five_minutes', nextMonth(month)));
}

async function countPartitions(client: pg.Client, table: HistoryTable, before: string): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = $1::regclass AND c.relname < $2 AND c.relname NOT IN (SELECT partition FROM progress WHERE done)`,
    [table, before],
  );
  return rows[0]?.n ?? 0;
}

const nextMonth = (month: Date) => monthBefore(month, -1);

/** Gives each day of a month the chunks of a day, of other devices: fleet sums them up by the hour in its next round. @returns the days */
export async function copyDays(client: pg.Client, day: Date, month: Date): Promise<number> {
  const end = nextMonth(month);
  await createPartition(client, 'hours', month, end);
  let days = 0;
  await client.query('BEGIN');
  for (let at = month.getTime(); at < end.getTime(); at += DAY_MS, days++) {
    await createPartition(client, 'five_minutes', new Date(at), new Date(at + DAY_MS));
    // Each day has the chunk of another device: a month of one and the same day would compress to nothing.
    await client.query(
      `WITH known AS MATERIALIZED (
         SELECT device_id, data, row_number() OVER (ORDER BY device_id) - 1 AS n FROM five_minutes WHERE start = $1
       )
       INSERT INTO five_minutes SELECT d.device_id, $2, other.data FROM known d
       JOIN known other ON other.n = (d.n + $3) % (SELECT count(*) FROM known)`,
      [day, new Date(at), days],
    );
  }
  await client.query('COMMIT');
  return days;
}

/** Gives devices the history of a year, with the chunks of others. @returns their ids */
export async function fillYear(
  client: pg.Client,
  { now, day, month, devices }: { now: Date; day: Date; month: Date; devices: number },
): Promise<string[]> {
  const ids = await reportedDevices(client, devices);
  await client.query('SET synchronous_commit = off');
  for (let back = 13; back >= 1; back--) {
    const to = monthBefore(now, back);
    await createPartition(client, 'hours', to, nextMonth(to));
    await copyChunks(client, 'hours', { from: month, to, ids });
  }
  for (const back of [1, 2]) await copyChunks(client, 'five_minutes', { from: day, to: dayBefore(now, back), ids });
  await client.query('RESET synchronous_commit');
  await client.query('VACUUM ANALYZE hours');
  await client.query('VACUUM ANALYZE five_minutes');
  return ids;
}

async function copyChunks(
  client: pg.Client,
  table: HistoryTable,
  { from, to, ids }: { from: Date; to: Date; ids: readonly string[] },
): Promise<void> {
  await client.query(
    `WITH known AS MATERIALIZED (SELECT data, row_number() OVER () AS n FROM ${table} WHERE start = $1 LIMIT 100)
     INSERT INTO ${table} SELECT d.id, $2, known.data FROM unnest($3::uuid[]) WITH ORDINALITY AS d (id, n)
     JOIN known ON known.n = 1 + d.n % (SELECT count(*) FROM known) ON CONFLICT DO NOTHING`,
    [from, to, ids],
  );
}

/** Bytes on disk of a partition, with its indexes and TOAST, for each of its rows. */
export async function bytesOfRow(client: pg.Client, table: HistoryTable, from: Date): Promise<number> {
  const name = partitionName(table, from);
  const { rows } = await client.query<{ bytes: number }>(
    `SELECT pg_total_relation_size('${name}')::float8 / greatest(count(*), 1) AS bytes FROM ${name}`,
  );
  return rows[0]?.bytes ?? Number.NaN;
}

/** Rows of reports and their bytes on disk, so far. */
export async function reports(client: pg.Client): Promise<{ count: number; bytes: number }> {
  const { rows } = await client.query<{ count: number; bytes: number }>(
    `SELECT (SELECT count(*)::int FROM incoming) AS count, sum(pg_total_relation_size(inhrelid))::float8 AS bytes
     FROM pg_inherits WHERE inhparent = 'incoming'::regclass`,
  );
  return rows[0] ?? { count: 0, bytes: 0 };
}
