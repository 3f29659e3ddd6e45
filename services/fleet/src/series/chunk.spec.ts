import { describe, expect, it } from '@jest/globals';
import { Metric } from '@warren/proto/fleet/v1/metrics';
import { decodeChunk, encodeChunk } from './chunk.ts';
import type { Column, Series } from './series.ts';

const START = 1_769_760_000;
const { NaN: none } = Number;

function column(metric: Metric, average: number[], more: Partial<Column> = {}): Column {
  return { metric, instance: '', total: 0, average, max: [], min: [], ...more };
}

function series(step: number, columns: Column[], counts?: number[]): Series {
  const length = columns[0]?.average.length ?? 0;
  const times = Array.from({ length }, (_, at) => START + at * step);
  return { times, counts: counts ?? times.map(() => 1), columns };
}

const again = (one: Series, step: number) => decodeChunk(encodeChunk(one, START, step), START, step);

describe('a chunk', () => {
  it('gives back what was put in, in multiples of the unit', () => {
    const whole = series(
      300,
      [
        column(Metric.CPU, [0, 12.3, none, 99.9, 100], { max: [1, 13, none, 100, 100] }),
        column(Metric.TEMPERATURE, [-12.5, none, none, 60, 61.1], {
          max: [-10, none, none, 61, 62],
          min: [-20, none, none, 59, 60],
        }),
        column(Metric.DISK, [1_048_576, 2_097_152, none, 0, 32 * 1_048_576], { instance: '/', total: 34_359_738_368 }),
        column(Metric.NETWORK_RX, [16, 160_000, none, 0, 32], { instance: 'eth0', max: [32, 320_000, none, 0, 64] }),
      ],
      [5, 5, 1, 4, 5],
    );
    expect(again(whole, 300)).toEqual(whole);
  });

  it('keeps uneven times of samples, and gaps', () => {
    const uneven = {
      ...series(1, [column(Metric.LOAD, [0.25, 1, 7.5])]),
      times: [START + 3, START + 64, START + 3_599],
    };
    expect(again(uneven, 1)).toEqual(uneven);
  });

  it('bounds values that are too large for it', () => {
    const [huge] = again(series(1, [column(Metric.NETWORK_TX, [1e15, 0])]), 1).columns;
    expect(huge?.average).toEqual([(2 ** 30 - 1) * 16, 0]);
  });

  it('leaves out metrics of a newer version', () => {
    expect(again(series(1, [column(99 as Metric, [1]), column(Metric.LOAD, [2])]), 1).columns).toHaveLength(1);
  });

  it('of a day of a usual device takes less than 16 KB, even of noise', () => {
    const random = (most: number) => Array.from({ length: 288 }, () => Math.random() * most);
    const pair = (metric: Metric, most: number, more: Partial<Column> = {}) =>
      column(metric, random(most), { max: random(most), ...more });
    const day = series(300, [
      ...[pair(Metric.CPU, 100), pair(Metric.LOAD, 4), pair(Metric.MEMORY, 4e9)],
      ...[pair(Metric.TEMPERATURE, 60, { min: random(60) }), pair(Metric.ROUND_TRIP, 100, { min: random(100) })],
      ...['/', '/boot'].map((instance) => column(Metric.DISK, random(32e9), { instance })),
      ...['eth0', 'wlan0'].flatMap((instance) => [
        pair(Metric.NETWORK_RX, 1e6, { instance }),
        pair(Metric.NETWORK_TX, 1e6, { instance }),
      ]),
      column(Metric.THROTTLED, random(1)),
    ]);
    expect(encodeChunk(day, START, 300).length).toBeLessThan(16_000);
  });
});
