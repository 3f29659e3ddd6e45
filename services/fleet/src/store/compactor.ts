import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { reduce, union, without, type Series } from '../series/series.ts';
import { seriesOf } from '../series/samples.ts';
import { readChunksAt, STEPS, writeChunks, type Chunk } from './chunks.ts';
import { readIncoming } from './incoming.ts';
import { asKeeper } from './keeper.lock.ts';
import { dropPartition, partitionsOf, spanStart, type Partition } from './partitions.ts';
import { donePartitions, lockKnown, markDone, nextDevices, saveProgress } from './progress.sql.ts';

/** Devices in a transaction. Each takes about a millisecond, in which the process does nothing else. */
const BATCH = 10;
const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Longer than a transaction lasts that has stored samples with an earlier time. */
const SETTLED_MS = 60_000;
/** After the end of a day its samples may come for a day, and are in chunks within two hours. */
const LATEST_MS = (DAY + 2 * HOUR) * 1_000;

/** Devices of the batch after a device. */
type Step = (manager: EntityManager, deviceIds: string[]) => Promise<void>;

/**
 * Makes chunks of samples, and of chunks those of coarser steps. Each batch of devices is a transaction that remembers how far it got. It may
 * run again: a chunk is made from all that is in it, and not added to.
 */
@Injectable()
export class Compactor {
  constructor(private readonly source: DataSource) {}

  /**
   * Makes chunks of the partitions of `incoming` that get no more samples, and drops them.
   * @returns false if there is more to do, by this replica or another
   */
  async compact(now: Date, goesOn: () => boolean): Promise<boolean> {
    for (const partition of await partitionsOf(this.source, 'incoming')) {
      if (partition.to.getTime() + SETTLED_MS > now.getTime()) break;
      const step: Step = (manager, ids) => compactDevices(manager, ids, partition.name);
      if (!(await this.finish(partition, step, dropPartition, goesOn))) return false;
    }
    return true;
  }

  /** Sums up days to which nothing is added any more. @returns as {@link compact} */
  async sumUp(now: Date, goesOn: () => boolean): Promise<boolean> {
    const done = await donePartitions(this.source);
    for (const partition of await partitionsOf(this.source, 'five_minutes')) {
      if (done.has(partition.name)) continue;
      if (partition.to.getTime() + LATEST_MS > now.getTime()) break;
      const step: Step = (manager, ids) => sumUpDay(manager, ids, partition.from);
      if (!(await this.finish(partition, step, (manager, { name }) => markDone(manager, name), goesOn))) return false;
    }
    return true;
  }

  /** @returns false if another replica is at it, or it is to stop */
  private async finish(
    partition: Partition,
    step: Step,
    end: (manager: EntityManager, partition: Partition) => Promise<void>,
    goesOn: () => boolean,
  ): Promise<boolean> {
    while (goesOn()) {
      const result = await asKeeper(this.source, async (manager) => {
        const ids = await nextDevices(manager, partition.name, BATCH);
        if (ids === undefined) return 'gone';
        const last = ids.at(-1);
        if (last === undefined) {
          await end(manager, partition);
          return 'done';
        }
        await step(manager, await lockKnown(manager, ids));
        await saveProgress(manager, partition.name, last);
        return 'more';
      });
      if (result !== 'more') return result !== undefined;
    }
    return false;
  }
}

/** Adds what came of devices to their hours of samples, and brings the days of these hours up to date. */
async function compactDevices(manager: EntityManager, ids: string[], table: string): Promise<void> {
  const came = [...(await readIncoming(manager, ids, table))].flatMap(([deviceId, samples]) =>
    split(deviceId, seriesOf(samples), HOUR),
  );
  const hours = await joined(manager, 'samples', came);
  await writeChunks(manager, 'samples', hours);
  await writeChunks(manager, 'five_minutes', await refreshedDays(manager, hours));
}

/** Cuts a series at the multiples of a length. */
export function split(deviceId: string, series: Series, length: number): Chunk[] {
  const starts = new Set(series.times.map((time) => time - (time % length)));
  const [start = 0] = starts;
  if (starts.size === 1) return [{ deviceId, start, series }];
  return [...starts].map((one) => {
    const others = new Set([...starts].filter((other) => other !== one));
    return { deviceId, start: one, series: without(series, others, length) };
  });
}

const keyOf = ({ deviceId, start }: Pick<Chunk, 'deviceId' | 'start'>) => `${deviceId} ${start}`;

/** The chunks with what is stored of them. */
async function joined(manager: EntityManager, table: 'samples' | 'hours', chunks: Chunk[]): Promise<Chunk[]> {
  const stored = new Map((await readChunksAt(manager, table, chunks)).map((chunk) => [keyOf(chunk), chunk.series]));
  return chunks.map((chunk) => {
    const before = stored.get(keyOf(chunk));
    return before ? { ...chunk, series: union(before, chunk.series) } : chunk;
  });
}

/** The days of these hours, with their points made from the samples again. */
async function refreshedDays(manager: EntityManager, hours: readonly Chunk[]): Promise<Chunk[]> {
  const dayOf = ({ deviceId, start }: Chunk) => ({ deviceId, start: start - (start % DAY) });
  const days = Map.groupBy(hours, (hour) => keyOf(dayOf(hour)));
  const wanted = [...days.values()].flatMap(([first]) => (first ? [dayOf(first)] : []));
  const stored = await readChunksAt(manager, 'five_minutes', wanted);
  const before = new Map(stored.map((chunk) => [keyOf(chunk), chunk.series]));
  return wanted.map((day) => {
    const fresh = days.get(keyOf(day)) ?? [];
    const rest = before.get(keyOf(day));
    const kept = rest ? [without(rest, new Set(fresh.map(({ start }) => start)), HOUR)] : [];
    return {
      ...day,
      series: union(...kept, ...fresh.map(({ series }) => reduce(series, STEPS.five_minutes))),
    };
  });
}

/** Adds the hours of a day to the month. */
async function sumUpDay(manager: EntityManager, ids: string[], day: Date): Promise<void> {
  const start = day.getTime() / 1_000;
  const month = spanStart(day, 'month').getTime() / 1_000;
  const days = await readChunksAt(
    manager,
    'five_minutes',
    ids.map((deviceId) => ({ deviceId, start })),
  );
  const hours = days.map(({ deviceId, series }) => ({ deviceId, start: month, series: reduce(series, STEPS.hours) }));
  await writeChunks(manager, 'hours', await joined(manager, 'hours', hours));
}
