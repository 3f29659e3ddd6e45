import { describe, expect, it } from '@jest/globals';
import { Metric } from '@warren/proto/fleet/v1/metrics';
import { parseExpression } from '@warren/rules/expressions';
import type { Column, Series } from '../../series/series.ts';
import { evaluate, measuredText } from './evaluate.ts';

const span = { seconds: 600, step: 60 };
const { NaN: none } = Number;

function column(metric: Metric, average: number[], more: Partial<Column> = {}): Column {
  return { metric, instance: '', total: 0, average, max: [], min: [], ...more };
}

function series(...columns: Column[]): Series {
  const points = Math.max(...columns.map(({ average }) => average.length));
  const times = Array.from({ length: points }, (_, at) => at * span.step);
  return { times, counts: times.map(() => 1), columns };
}

function outcome(text: string, of: Series) {
  const parsed = parseExpression(text);
  if (!parsed.ok) throw new Error(text);
  return evaluate(parsed.filter, of, span);
}
const holds = (text: string, of: Series) => outcome(text, of).holds;

describe('an expression', () => {
  const cpu = series(column(Metric.CPU, [60, 70, 80, 90, 100, 80, 70, 70, 70, 70]));

  it.each([
    ['cpu.avg>75.9', true],
    ['cpu.avg>76', false],
    ['cpu.avg>=76', true],
    ['cpu.max>99', true],
    ['cpu.max>100', false],
    ['cpu.min<60', false],
    ['cpu.min<=60', true],
    ['cpu.change>9', true],
    ['cpu.change<0', false],
    ['-cpu.avg>80', true],
    ['cpu.avg>80 or cpu.max>90', true],
    ['cpu.avg>80 cpu.max>90', false],
  ])('%s of a busy processor: %s', (text, expected) => {
    expect(holds(text, cpu)).toBe(expected);
  });

  it('weighs points by their samples, and takes their extremes', () => {
    const of = { ...series(column(Metric.CPU, Array<number>(10).fill(10), { max: [99] })), counts: [1] };
    of.columns[0]?.average.splice(0, 1, 100);
    const weighed = { ...of, columns: of.columns.map((one) => ({ ...one })), counts: [9, ...Array<number>(9).fill(1)] };
    expect(outcome('cpu.avg>0', weighed).measured?.value).toBe(55);
    expect(outcome('cpu.max>0', of).measured?.value).toBe(99);
    expect(outcome('cpu.min<50', of).measured?.value).toBe(10);
  });

  it('holds for any disk, in percent of its size, and names the one that is furthest over', () => {
    const disk = (instance: string, used: number) =>
      column(Metric.DISK, Array<number>(10).fill(used), { instance, total: 200 });
    const of = series(disk('/', 100), disk('/data', 190), disk('/boot', 185), { ...disk('/x', 9), total: 0 });
    const { holds: over, measured } = outcome('disk.avg>90', of);
    expect(over).toBe(true);
    expect(measured && measuredText(measured, 10)).toBe('disk.avg was 95 % on /data over 10 minutes (disk.avg>90)');
    expect(outcome('disk.avg<60', of).measured?.instance).toBe('/');
  });

  it('is unknown of what is not measured, or for less than half of the span', () => {
    expect(holds('temperature.avg>1', cpu)).toBeUndefined();
    expect(holds('-temperature.avg>1', cpu)).toBeUndefined();
    expect(holds('temperature.avg>1 or cpu.avg>1', cpu)).toBe(true);
    expect(holds('temperature.avg>1 cpu.avg>1', cpu)).toBeUndefined();
    expect(holds('temperature.avg>1 cpu.avg>99', cpu)).toBe(false);
    expect(holds('cpu.avg>1', series(column(Metric.CPU, [9, 9, 9, 9])))).toBeUndefined();
    expect(holds('cpu.avg>1', series(column(Metric.CPU, [9, 9, 9, 9, 9])))).toBe(true);
    expect(holds('cpu.avg>1', series(column(Metric.CPU, [9, none, none, none, 9])))).toBe(true);
    expect(holds('cpu.avg>1', series(column(Metric.CPU, [9, none, none, none, none])))).toBeUndefined();
    expect(holds('cpu.avg>1', { times: [], counts: [], columns: [] })).toBeUndefined();
  });

  it.each([
    [
      'network_rx.avg>1MB',
      Metric.NETWORK_RX,
      12_340_000,
      'network_rx.avg was 12.3 MB/s on eth0 over 30 minutes (network_rx.avg>1MB)',
    ],
    [
      'network_tx.min<1KB',
      Metric.NETWORK_TX,
      12,
      'network_tx.min was 12 B/s on eth0 over 30 minutes (network_tx.min<1KB)',
    ],
    ['throttled.avg>10', Metric.THROTTLED, 0.25, 'throttled.avg was 25 % on eth0 over 30 minutes (throttled.avg>10)'],
    ['load.max>4', Metric.LOAD, 6.42, 'load.max was 6.4 on eth0 over 30 minutes (load.max>4)'],
  ])('%s says what was measured', (text, metric, value, words) => {
    const { measured } = outcome(text, series(column(metric, Array<number>(10).fill(value), { instance: 'eth0' })));
    expect(measured && measuredText(measured, 30)).toBe(words);
  });
});
