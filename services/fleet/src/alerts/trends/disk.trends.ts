import { Injectable } from '@nestjs/common';
import { Metric } from '@warren/proto/fleet/v1/metrics';
import { DataSource } from 'typeorm';
import { HistoryReader } from '../../metrics/history.reader.ts';
import type { Column, Series } from '../../series/series.ts';
import { piecesOf } from '../matching/device.matcher.ts';
import { fullAt } from './linear.trend.ts';
import { readDue, writeTrends } from '../records/trends.sql.ts';

const HOUR = 3_600;
const WINDOW = 72 * HOUR;
/** A trend over days is not different within an hour. */
const EVERY_MS = 3_600_000;
/** Devices in a look: with one each 30 s, 24,000 an hour. */
const MOST = 200;
/** Devices read at once. Each takes about a millisecond, in which the process does nothing else. */
const BATCH = 20;
const DISKS = new Set([Metric.DISK]);

/** Follows how the disks of devices fill: by the hours of the last three days. */
@Injectable()
export class DiskTrends {
  constructor(
    private readonly source: DataSource,
    private readonly reader: HistoryReader,
  ) {}

  /** Looks at the devices that are due, a bounded number of them. */
  async refresh(now: Date): Promise<void> {
    const due = await readDue(this.source, { before: new Date(now.getTime() - EVERY_MS), limit: MOST });
    const seconds = Math.floor(now.getTime() / 1_000);
    const start = seconds - (seconds % HOUR) - WINDOW;
    for (const ids of piecesOf(due, BATCH)) {
      const series = await this.reader.read(ids, [start, seconds + HOUR], HOUR, DISKS);
      const found = ids.map((id) => ({ id, ...firstFull(series.get(id)) }));
      await writeTrends(this.source, found, now);
    }
  }
}

/** The disk that is full first. */
function firstFull(series: Series | undefined): { mount: string | undefined; fullAt: Date | undefined } {
  const times = series?.times ?? [];
  const [first] = (series?.columns ?? [])
    .flatMap((column) => {
      const at = fullAt(pointsOf(times, column), column.total);
      return at === undefined ? [] : [{ mount: column.instance, at }];
    })
    .sort((a, b) => a.at - b.at);
  return { mount: first?.mount, fullAt: first && new Date(first.at * 1_000) };
}

function pointsOf(times: readonly number[], { average }: Column) {
  return times
    .map((time, at) => ({ time, value: average[at] ?? Number.NaN }))
    .filter(({ value }) => !Number.isNaN(value));
}
