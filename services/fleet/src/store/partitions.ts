import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';
import { createMissing, dropTable, partitionNames } from './keeper.sql.ts';

type Unit = 'hour' | 'day' | 'month';

/** A table in partitions by time. */
interface Partitioned {
  table: 'incoming' | 'samples' | 'five_minutes' | 'hours';
  unit: Unit;
  /** Partitions before and after the present one that are always there. */
  behind: number;
  ahead: number;
}

/** A service that is down for less than `ahead` finds a partition to write to. */
const PARTITIONED: Readonly<Record<Partitioned['table'], Partitioned>> = {
  incoming: { table: 'incoming', unit: 'hour', behind: 0, ahead: 48 },
  samples: { table: 'samples', unit: 'day', behind: 2, ahead: 3 },
  five_minutes: { table: 'five_minutes', unit: 'day', behind: 2, ahead: 3 },
  hours: { table: 'hours', unit: 'month', behind: 1, ahead: 2 },
};

/** A partition, by what its name says. */
export interface Partition {
  name: string;
  table: Partitioned['table'];
  from: Date;
  to: Date;
}

/** When the span of a unit begins that a time is in, moved by so many units; in UTC. */
export function spanStart(time: Date, unit: Unit, moved = 0): Date {
  const [year, month, day, hour] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate(), time.getUTCHours()];
  if (unit === 'month') return new Date(Date.UTC(year, month + moved));
  if (unit === 'day') return new Date(Date.UTC(year, month, day + moved));
  return new Date(Date.UTC(year, month, day, hour + moved));
}

const DIGITS: Record<Unit, number> = { month: 6, day: 8, hour: 10 };

function partitionAt({ table, unit }: Partitioned, time: Date, moved = 0): Partition {
  const from = spanStart(time, unit, moved);
  const digits = from.toISOString().replace(/\D/g, '').slice(0, DIGITS[unit]);
  return { name: `${table}_${digits}`, table, from, to: spanStart(from, unit, 1) };
}

/** The partition of that name. */
function partitionOf(of: Partitioned, name: string): Partition {
  const digits = name.slice(of.table.length + 1);
  const [year, month, day, hour] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6, 8), digits.slice(8, 10)];
  return partitionAt(of, new Date(`${year}-${month}-${day || '01'}T${hour || '00'}:00:00Z`));
}

/** The partitions of a table, oldest first. */
export async function partitionsOf(sql: Sql, table: Partitioned['table']): Promise<Partition[]> {
  return (await partitionNames(sql, table)).map((name) => partitionOf(PARTITIONED[table], name));
}

/**
 * Creates the partitions that are missing around a time. Waits briefly for locks, as a backup may hold them for hours and readers and
 * writers queue behind: they are created far ahead.
 * To be called in a transaction under the lock of the keeper.
 */
export async function createPartitions(manager: EntityManager, now: Date): Promise<void> {
  for (const of of Object.values(PARTITIONED)) {
    const known = new Set(await partitionNames(manager, of.table));
    const wanted = Array.from({ length: of.behind + of.ahead + 1 }, (_, at) => partitionAt(of, now, at - of.behind));
    await createMissing(
      manager,
      of.table,
      wanted.filter(({ name }) => !known.has(name)),
    );
  }
}

/** Drops a partition and what is known of its summing up. */
export async function dropPartition(manager: EntityManager, { name }: Partition): Promise<void> {
  await dropTable(manager, name);
}
