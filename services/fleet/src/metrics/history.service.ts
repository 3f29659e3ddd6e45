import type { MessageInitShape } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { Fault, invalidInput, shownValue } from '@warren/platform/errors/fault';
import { isRestricted, may } from '@warren/platform/policy/policy';
import { requireUser, type Caller, type UserCaller } from '@warren/platform/rpc/caller';
import type {
  GetMetricsRequest,
  GetMetricsResponseSchema,
  GetSparklinesRequest,
  GetSparklinesResponseSchema,
  ListBootsRequest,
  Metric,
  MetricSeriesSchema,
} from '@warren/proto/fleet/v1/metrics';
import { DataSource } from 'typeorm';
import { DeviceDirectory } from '../devices/device.directory.ts';
import type { Series } from '../series/series.ts';
import { HistoryReader } from './history.reader.ts';
import { readBoots } from './report.sql.ts';
import { gridOf, type Grid } from './resolution.ts';

const MOST_SPARKLINES = 100;
const SPARKLINE = { step: 1_800, points: 48 };

/** The history of metrics, for people. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly source: DataSource,
    private readonly directory: DeviceDirectory,
    private readonly reader: HistoryReader,
  ) {}

  /** @throws Fault `not_found` also for a device of another account; `invalid_argument` */
  async metrics(
    caller: Caller,
    request: Pick<GetMetricsRequest, 'deviceId' | 'from' | 'to' | 'metrics'>,
  ): Promise<MessageInitShape<typeof GetMetricsResponseSchema>> {
    const { deviceId: id, from, to, metrics } = request;
    await this.requireVisible(caller, id);
    requireSpan(from, to);
    const grid = gridOf(from, to, new Date());
    const found = await this.reader.read([id], spanOf(grid), grid.step, wantedOf(metrics));
    const series = found.get(id);
    return { ...grid, series: series ? onGrid(series, grid) : [] };
  }

  /** When a device booted, oldest first. @throws Fault as {@link metrics} */
  async boots(
    caller: Caller,
    { deviceId: id, from, to }: Pick<ListBootsRequest, 'deviceId' | 'from' | 'to'>,
  ): Promise<{ times: number[] }> {
    await this.requireVisible(caller, id);
    requireSpan(from, to);
    return { times: await readBoots(this.source, id, [from, to]) };
  }

  /** Leaves out devices that the caller may not see. @throws Fault `invalid_argument` for more than 100 */
  async sparklines(
    caller: Caller,
    { deviceIds, metrics }: Pick<GetSparklinesRequest, 'deviceIds' | 'metrics'>,
  ): Promise<MessageInitShape<typeof GetSparklinesResponseSchema>> {
    const user = requireUser(caller);
    if (deviceIds.length > MOST_SPARKLINES) {
      const message = `${deviceIds.length} came, at most ${MOST_SPARKLINES} were expected.`;
      throw invalidInput({ field: 'device_ids', message });
    }
    const visible = await this.visible(user, deviceIds);
    const grid = sparklineGrid(Math.floor(Date.now() / 1_000));
    const found = await this.reader.read(visible, spanOf(grid), grid.step, wantedOf(metrics));
    const devices = [...found].map(([deviceId, series]) => ({ deviceId, series: onGrid(series, grid) }));
    return { ...grid, devices };
  }

  private async requireVisible(caller: Caller, id: string): Promise<void> {
    if ((await this.visible(requireUser(caller), [id])).length === 0) throw new Fault('not_found', `device ${id}.`);
  }

  /** The role of most people shows whole accounts; else grants decide about each device. */
  private async visible(user: UserCaller, ids: readonly string[]): Promise<string[]> {
    if (isRestricted(user)) return this.directory.viewable(user, ids);
    const accounts = await this.directory.accountsOf(ids);
    return [...accounts].filter(([, accountId]) => may(user, 'devices.read', accountId)).map(([id]) => id);
  }
}

const spanOf = ({ start, step, points }: Grid): readonly [number, number] => [start, start + step * points];

/** The last point is the one that now is in. */
function sparklineGrid(now: number): Grid {
  const { step, points } = SPARKLINE;
  return { start: now - (now % step) - (points - 1) * step, step, points };
}

function requireSpan(from: number, to: number): void {
  if (from < to) return;
  throw invalidInput({ field: 'to', message: 'expected a time after from.', value: shownValue(to) });
}

/** All if none is named. */
const wantedOf = (metrics: readonly Metric[]) => (metrics.length > 0 ? new Set(metrics) : undefined);

/** A value for each point of the grid. */
function onGrid(series: Series, { start, step, points }: Grid): MessageInitShape<typeof MetricSeriesSchema>[] {
  const places = series.times.map((time) => (time - start) / step);
  const spread = (values: readonly number[]) => {
    if (values.length === 0) return [];
    const all = new Array<number>(points).fill(Number.NaN);
    for (const [at, place] of places.entries()) all[place] = values[at] ?? Number.NaN;
    return all;
  };
  return series.columns.map(({ metric, instance, total, average, max, min }) => ({
    metric,
    instance,
    average: spread(average),
    max: spread(max),
    min: spread(min),
    ...(total > 0 && { total }),
  }));
}
