import { LABEL_LIMITS, type Labels } from '@warren/rules/labels';
import type { DataSource, EntityManager } from 'typeorm';

/** A device whose labels may change, locked until the transaction ends. */
export interface LabelledDevice {
  id: string;
  account_id: string;
  name: string;
  custom_name: string;
}

const LOCK = 'SELECT d.id, d.account_id, d.name, d.custom_name';

/** Locks devices by id, in an account or (without one) in all; sorted by id, like all locks of several devices, to avoid deadlocks. */
export function lockDevices(
  manager: EntityManager,
  ids: readonly string[],
  accountId: string | undefined,
): Promise<LabelledDevice[]> {
  return manager.query(
    `${LOCK} FROM devices d WHERE d.id = ANY($1::uuid[]) AND ($2::uuid IS NULL OR d.account_id = $2)
     ORDER BY d.id FOR NO KEY UPDATE OF d`,
    [ids, accountId],
  );
}

/** Locks all devices that a condition holds for, as {@link lockDevices} does. @param from FROM and WHERE over `devices d` */
export function lockMatching(
  manager: EntityManager,
  { from, values, most }: { from: string; values: readonly unknown[]; most: number },
): Promise<LabelledDevice[]> {
  return manager.query(`${LOCK} ${from} ORDER BY d.id LIMIT ${most} FOR NO KEY UPDATE OF d`, [...values]);
}

/** The labels of devices, by device; none for a device without any. */
export async function readLabels(manager: EntityManager, ids: readonly string[]): Promise<Map<string, Labels>> {
  const rows = await manager.query<{ device_id: string; labels: Labels }[]>(
    `SELECT device_id, jsonb_object_agg(key, value) AS labels FROM device_labels
     WHERE device_id = ANY($1::uuid[]) GROUP BY device_id`,
    [ids],
  );
  return new Map(rows.map(({ device_id: id, labels }) => [id, labels]));
}

/** Removes and sets labels. @returns the ids of the devices whose labels are different now */
export async function writeLabels(
  manager: EntityManager,
  ids: readonly string[],
  { set, remove }: { set: Labels; remove: readonly string[] },
): Promise<Set<string>> {
  const [removed] = await manager.query<[{ device_id: string }[], number]>(
    'DELETE FROM device_labels WHERE device_id = ANY($1::uuid[]) AND key = ANY($2::text[]) RETURNING device_id',
    [ids, remove],
  );
  const written = await manager.query<{ device_id: string }[]>(
    `INSERT INTO device_labels AS l (device_id, key, value)
     SELECT id, pair.key, pair.value FROM unnest($1::uuid[]) AS id, jsonb_each_text($2) AS pair
     ON CONFLICT (device_id, key) DO UPDATE SET value = excluded.value WHERE l.value <> excluded.value
     RETURNING device_id`,
    [ids, JSON.stringify(set)],
  );
  return new Set([...removed, ...written].map((row) => row.device_id));
}

/** Replaces the notes on a device. */
export async function writeNotes(manager: EntityManager, id: string, notes: string): Promise<void> {
  await manager.query('UPDATE devices SET notes = $2 WHERE id = $1', [id, notes]);
}

/** Finds a device with more labels than one may have. */
export async function findOverfull(manager: EntityManager, ids: readonly string[]): Promise<string | undefined> {
  const [row] = await manager.query<{ device_id: string }[]>(
    `SELECT device_id FROM device_labels WHERE device_id = ANY($1::uuid[])
     GROUP BY device_id HAVING count(*) > ${LABEL_LIMITS.perDevice} LIMIT 1`,
    [ids],
  );
  return row?.device_id;
}

export interface LabelCount {
  key: string;
  value: string;
  count: number;
  key_count: number;
}

const MOST_KEYS = 500;
const MOST_VALUES = 100;

/**
 * Counts the labels of devices: by key, then the most frequent values first.
 * @param from FROM and WHERE over `devices d`; not used for all devices, of which nothing but the labels is read
 */
export function countLabels(
  source: DataSource,
  { from, values }: { from: string; values: readonly unknown[] },
  accountId: string | undefined,
): Promise<LabelCount[]> {
  return source.query(
    `WITH counted AS (
       SELECT l.key, l.value, count(*)::int AS count FROM device_labels l
       ${accountId === undefined ? '' : `WHERE l.device_id IN (SELECT d.id ${from})`}
       GROUP BY l.key, l.value
     ), ranked AS (
       SELECT key, value, count, (sum(count) OVER (PARTITION BY key))::int AS key_count,
         row_number() OVER (PARTITION BY key ORDER BY count DESC, value) AS place, dense_rank() OVER (ORDER BY key) AS key_place
       FROM counted
     )
     SELECT key, value, count, key_count FROM ranked
     WHERE place <= ${MOST_VALUES} AND key_place <= ${MOST_KEYS} ORDER BY key, place`,
    accountId === undefined ? [] : [...values],
  );
}
