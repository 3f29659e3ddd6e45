import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { seriesOf } from '../series/samples.ts';
import { emptySeries, reduce, union, within, without, type Series } from '../series/series.ts';
import { readChunks, readChunksAt, STEPS, type Chunk } from '../store/chunks.ts';
import { split } from '../store/compactor.ts';
import { readIncoming } from '../store/incoming.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const LONGEST_MONTH = 31 * DAY;
/** Longer than until a day is summed up in hours. */
const NOT_IN_HOURS = 4 * DAY;

type Span = readonly [from: number, to: number];

const joinedBy = (chunks: readonly Chunk[]): Map<string, Series> =>
  new Map(
    [...Map.groupBy(chunks, ({ deviceId }) => deviceId)].map(([id, own]) => [
      id,
      union(...own.map(({ series }) => series)),
    ]),
  );

/** Reads the history of devices: chunks, and what is not in chunks yet. */
@Injectable()
export class HistoryReader {
  constructor(private readonly source: DataSource) {}

  /**
   * The series of devices in points of `step` seconds; without the devices that have none.
   * @param span begins at a multiple of the step
   * @param step as {@link gridOf} chooses it
   */
  async read(ids: readonly string[], span: Span, step: number): Promise<Map<string, Series>> {
    const [from, to] = span;
    const fine = step < STEPS.five_minutes;
    const [fresh, chunks, hours] = await Promise.all([
      this.fresh(ids),
      fine ? this.chunks('samples', ids, span, HOUR) : this.fiveMinutes(ids, span, step),
      step < STEPS.hours ? new Map<string, Series>() : this.chunks('hours', ids, span, LONGEST_MONTH),
    ]);
    const found = new Map<string, Series>();
    for (const id of ids) {
      const own = fresh.get(id) ?? [];
      const rest = chunks.get(id) ?? emptySeries();
      const recent = fine
        ? union(rest, ...own.map(({ series }) => series))
        : union(without(rest, new Set(own.map(({ start }) => start)), HOUR), ...own.map(refreshed));
      const all = step < STEPS.hours ? recent : union(hours.get(id) ?? emptySeries(), reduce(recent, STEPS.hours));
      const series = within(reduce(all, step), from, to);
      if (series.times.length > 0) found.set(id, series);
    }
    return found;
  }

  /** The hours of samples that something came of which is not in chunks yet, with what is. */
  private async fresh(ids: readonly string[]): Promise<Map<string, Chunk[]>> {
    const came = await readIncoming(this.source, ids);
    const hours = [...came].flatMap(([id, samples]) => split(id, seriesOf(samples), HOUR));
    const stored = await readChunksAt(this.source, 'samples', hours);
    const before = new Map(stored.map(({ deviceId, start, series }) => [`${deviceId} ${start}`, series]));
    return Map.groupBy(
      hours.map((hour) => {
        const known = before.get(`${hour.deviceId} ${hour.start}`);
        return known ? { ...hour, series: union(known, hour.series) } : hour;
      }),
      ({ deviceId }) => deviceId,
    );
  }

  /** With a step of hours only the days that may not be summed up. */
  private fiveMinutes(ids: readonly string[], [from, to]: Span, step: number): Promise<Map<string, Series>> {
    const first = step < STEPS.hours ? from : Math.max(from, Math.floor(Date.now() / 1_000) - NOT_IN_HOURS);
    return this.chunks('five_minutes', ids, [first, to], DAY);
  }

  /** @param length of the longest chunk: that which begins before the span may reach into it */
  private async chunks(
    table: 'samples' | 'five_minutes' | 'hours',
    ids: readonly string[],
    [from, to]: Span,
    length: number,
  ): Promise<Map<string, Series>> {
    return joinedBy(await readChunks(this.source, table, ids, [from - length + 1, to]));
  }
}

const refreshed = ({ series }: Chunk): Series => reduce(series, STEPS.five_minutes);
