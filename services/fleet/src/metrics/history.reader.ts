import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Metrics } from '../series/metrics.ts';
import { seriesOf } from '../series/samples.ts';
import { emptySeries, reduce, union, within, without, type Series } from '../series/series.ts';
import { readChunks, readChunksAt, STEPS, type Chunk, type ChunkTable } from '../store/chunks.ts';
import { split } from '../store/compactor.ts';
import { readIncoming } from '../store/incoming.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Of the longest chunk. */
const LENGTHS: Readonly<Record<ChunkTable, number>> = { samples: HOUR, five_minutes: DAY, hours: 31 * DAY };
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
   * @param metrics those to read; all if not given
   */
  async read(ids: readonly string[], span: Span, step: number, metrics?: Metrics): Promise<Map<string, Series>> {
    const [from, to] = span;
    const fine = step < STEPS.five_minutes;
    // First what is moved into chunks meanwhile, so that it is in one of both.
    const fresh = await this.fresh(ids, metrics);
    const short = step < STEPS.hours;
    const [chunks, hours] = await Promise.all([
      fine ? this.chunks('samples', ids, span, metrics) : this.fiveMinutes(ids, span, step, metrics),
      short ? new Map<string, Series>() : this.chunks('hours', ids, span, metrics),
    ]);
    const found = new Map<string, Series>();
    for (const id of ids) {
      const own = fresh.get(id) ?? [];
      const rest = chunks.get(id) ?? emptySeries();
      const recent = fine
        ? union(rest, ...own.map(({ series }) => series))
        : union(without(rest, new Set(own.map(({ start }) => start)), HOUR), ...own.map(refreshed));
      const all = short ? recent : union(hours.get(id) ?? emptySeries(), reduce(recent, STEPS.hours));
      const series = within(reduce(all, step), from, to);
      if (series.times.length > 0) found.set(id, series);
    }
    return found;
  }

  /** The hours of samples that something came of which is not in chunks yet, with what is. */
  private async fresh(ids: readonly string[], metrics: Metrics | undefined): Promise<Map<string, Chunk[]>> {
    const came = await readIncoming(this.source, ids);
    const hours = [...came].flatMap(([id, samples]) => split(id, seriesOf(samples, metrics), HOUR));
    const stored = await readChunksAt(this.source, 'samples', hours, metrics);
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
  private fiveMinutes(
    ids: readonly string[],
    [from, to]: Span,
    step: number,
    metrics: Metrics | undefined,
  ): Promise<Map<string, Series>> {
    const first = step < STEPS.hours ? from : Math.max(from, Math.floor(Date.now() / 1_000) - NOT_IN_HOURS);
    return this.chunks('five_minutes', ids, [first, to], metrics);
  }

  /** Reads also the chunks that begin before the span and may reach into it. */
  private async chunks(
    table: ChunkTable,
    ids: readonly string[],
    [from, to]: Span,
    metrics: Metrics | undefined,
  ): Promise<Map<string, Series>> {
    return joinedBy(await readChunks(this.source, table, ids, [from - LENGTHS[table] + 1, to], metrics));
  }
}

const refreshed = ({ series }: Chunk): Series => reduce(series, STEPS.five_minutes);
