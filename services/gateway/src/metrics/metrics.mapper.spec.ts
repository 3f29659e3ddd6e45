import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { ActivityKind, ActivitySchema } from '@warren/proto/devices/v1/devices';
import { Metric, MetricSeriesSchema } from '@warren/proto/fleet/v1/metrics';
import { eventsJson, seriesJson, timesOf } from './metrics.mapper.ts';
import { deviceMetricsQuery, sparklinesQuery } from './metrics.schemas.ts';

const ID = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';

describe('a series', () => {
  it('has null where there is no value, and the digits that were measured', () => {
    const series = create(MetricSeriesSchema, {
      metric: Metric.CPU,
      average: [Math.fround(25.3), Number.NaN],
      max: [90, Number.NaN],
    });
    expect(seriesJson(series)).toEqual([
      { name: 'cpu', unit: 'percent', instance: null, total: null, values: [25.3, null], max: [90, null], min: null },
    ]);
    const disk = create(MetricSeriesSchema, { metric: Metric.DISK, instance: '/', total: 32e9, average: [8e9] });
    expect(seriesJson(disk)).toMatchObject([{ name: 'disk', instance: '/', total: 32e9, values: [8e9], max: null }]);
  });

  it('is left out if it is of a newer version', () => {
    expect(seriesJson(create(MetricSeriesSchema, { metric: 99 as Metric, average: [1] }))).toEqual([]);
  });

  it('is of times that are a step apart', () => {
    expect(timesOf({ start: 600, step: 300, points: 3 })).toEqual([600, 900, 1_200]);
  });
});

describe('queries', () => {
  it('name metrics with commas, and no others', () => {
    expect(deviceMetricsQuery.parse({ series: 'cpu,disk' }).series).toEqual([Metric.CPU, Metric.DISK]);
    expect(deviceMetricsQuery.parse({})).toEqual({ series: [] });
    expect(() => deviceMetricsQuery.parse({ series: 'cpu,humidity' })).toThrow(/expected names of cpu, load/);
    expect(() => deviceMetricsQuery.parse({ from: 'yesterday' })).toThrow();
  });

  it('name 1 to 100 devices', () => {
    expect(sparklinesQuery.parse({ ids: `${ID},${ID}` }).ids).toEqual([ID, ID]);
    for (const ids of ['', 'nonsense', new Array(101).fill(ID).join()])
      expect(() => sparklinesQuery.parse({ ids })).toThrow();
  });
});

it('events and boots are one list, the oldest first', () => {
  const event = (seconds: number, kind: ActivityKind, detail = '') =>
    create(ActivitySchema, { at: timestampFromDate(new Date(seconds * 1_000)), kind, detail });
  const activity = [event(30, ActivityKind.UPDATED, '0.2.0'), event(10, ActivityKind.DISCONNECTED)];
  const bulk = [event(25, ActivityKind.BULK_ACTION, 'disable_web'), event(35, ActivityKind.BULK_ACTION, 'of_later')];
  expect(eventsJson([...activity, ...bulk, event(40, 99 as ActivityKind)], [20])).toEqual([
    { time: 10, kind: 'link_down', text: 'Disconnected' },
    { time: 20, kind: 'boot', text: 'Booted' },
    { time: 25, kind: 'bulk_job', text: 'Web service disabled by a bulk job' },
    { time: 30, kind: 'update', text: 'Updated to version 0.2.0' },
    { time: 35, kind: 'bulk_job', text: 'Changed by a bulk job' },
    { time: 40, kind: 'changed', text: 'Changed' },
  ]);
});
