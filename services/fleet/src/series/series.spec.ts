import { describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { Metric, SampleSchema, type Sample } from '@warren/proto/fleet/v1/metrics';
import { checkSample, seriesOf } from './samples.ts';
import { reduce, union, within, without, type Series } from './series.ts';

const NOW = 1_769_760_000;
const { NaN: none } = Number;

const loads = (values: Record<number, number>): Series =>
  seriesOf(Object.entries(values).map(([time, load1]) => create(SampleSchema, { time: Number(time), load1 })));
const loadOf = ({ columns }: Series) => columns.find(({ metric }) => metric === Metric.LOAD);

describe('points', () => {
  it('are the averages of what is in them, by the number of samples, with maximum and minimum', () => {
    const samples = [1, 2, 6].map((degrees, at) =>
      create(SampleSchema, { time: NOW + at * 60, temperature: degrees, ...(at > 0 && { roundTripMs: degrees }) }),
    );
    const five = reduce(seriesOf(samples), 300);
    const more = reduce(seriesOf([create(SampleSchema, { time: NOW + 300, temperature: 11 })]), 300);
    const hour = reduce(union(five, more), 3_600);
    expect(hour.counts).toEqual([4]);
    expect(hour.columns.find(({ metric }) => metric === Metric.TEMPERATURE)).toMatchObject({
      average: [5],
      max: [11],
      min: [1],
    });
    expect(five.columns.find(({ metric }) => metric === Metric.ROUND_TRIP)).toMatchObject({ average: [4], min: [2] });
  });

  it('are not there where there is no sample', () => {
    expect(reduce(loads({ [NOW]: 1, [NOW + 900]: 2 }), 300)).toMatchObject({ times: [NOW, NOW + 900] });
  });
});

describe('series', () => {
  it('that follow one another are joined in order of time, also where one lacks a column', () => {
    const early = seriesOf([
      create(SampleSchema, { time: NOW, load1: 1, disks: [{ mount: '/a', used: 1n, total: 2n }] }),
    ]);
    const late = loads({ [NOW + 60]: 2, [NOW + 120]: 3 });
    for (const parts of [
      [early, late],
      [late, early],
    ]) {
      const joined = union(...parts);
      expect([joined.times, joined.counts]).toEqual([
        [NOW, NOW + 60, NOW + 120],
        [1, 1, 1],
      ]);
      expect(loadOf(joined)?.average).toEqual([1, 2, 3]);
      expect(joined.columns.find(({ instance }) => instance === '/a')?.average.slice(1)).toEqual([none, none]);
    }
  });

  it('are joined by time, the later ones before the earlier ones, with the columns of all', () => {
    const named = (time: number, mount: string) =>
      seriesOf([create(SampleSchema, { time, load1: 9, disks: [{ mount, used: 1n, total: 2n }] })]);
    const joined = union(loads({ [NOW]: 1, [NOW + 60]: 2 }), named(NOW + 60, '/a'), named(NOW + 120, '/b'));
    expect(loadOf(joined)?.average).toEqual([1, 9, 9]);
    const disks = joined.columns.filter(({ metric }) => metric === Metric.DISK);
    expect(disks.map(({ instance, average }) => [instance, average])).toEqual([
      ['/a', [none, 1, none]],
      ['/b', [none, none, 1]],
    ]);
  });

  it('are cut, and lose what is replaced', () => {
    const all = loads({ [NOW]: 1, [NOW + 3_600]: 2, [NOW + 7_200]: 3 });
    expect(within(all, NOW + 1, NOW + 7_200).times).toEqual([NOW + 3_600]);
    expect(without(all, new Set([NOW + 3_600]), 3_600).times).toEqual([NOW, NOW + 7_200]);
  });

  it('do not grow with the names that a device thinks of', () => {
    const samples = Array.from({ length: 100 }, (_, at) =>
      create(SampleSchema, { time: NOW + at * 60, interfaces: [{ name: `veth${at}`, rxBytes: 1n }] }),
    );
    expect(seriesOf(samples).columns.filter(({ metric }) => metric === Metric.NETWORK_RX)).toHaveLength(48);
  });

  it('leave out samples that follow too closely', () => {
    const samples = Array.from({ length: 100 }, (_, at) => create(SampleSchema, { time: NOW + at }));
    expect(seriesOf(samples).times).toEqual([0, 20, 40, 60, 80].map((after) => NOW + after));
  });

  it('have bytes a second, by the time since the sample before; that of a minute where the agent did not run', () => {
    const samples = [0, 60, 660].map((after) =>
      create(SampleSchema, { time: NOW + after, interfaces: [{ name: 'eth0', rxBytes: 6_000n, txBytes: 0n }] }),
    );
    const received = seriesOf(samples).columns.find(({ metric }) => metric === Metric.NETWORK_RX);
    expect(received?.average).toEqual([100, 100, 100]);
  });
});

describe('a sample', () => {
  const sample = (init: Partial<Omit<Sample, '$typeName' | '$unknown' | 'disks' | 'interfaces'>> = {}) =>
    create(SampleSchema, { time: NOW, ...init });

  it('of another time is none', () => {
    expect(checkSample(sample({ time: NOW - 24 * 3_600 }), NOW)).toBeDefined();
    expect(checkSample(sample({ time: NOW - 26 * 3_600 }), NOW)).toBeUndefined();
    expect(checkSample(sample({ time: NOW + 300 }), NOW)).toBeDefined();
    expect(checkSample(sample({ time: NOW + 301 }), NOW)).toBeUndefined();
  });

  it('is held to what can be', () => {
    const wrong = sample({ cpuPercent: Infinity, load1: none, memoryUsed: 9n, memoryTotal: 4n, temperature: 4_000 });
    const checked = checkSample({ ...wrong, roundTripMs: -1 }, NOW);
    expect(checked).toMatchObject({ cpuPercent: 100, load1: 0, memoryUsed: 4n });
    expect(checked?.temperature).toBeUndefined();
    expect(checked?.roundTripMs).toBeUndefined();
  });

  it('loses invalid names, and those beyond 16', () => {
    const disks = ['', 'a\u0000b', 'x'.repeat(200), ...Array.from({ length: 20 }, (_, at) => `/disk${at}`)];
    const checked = checkSample(
      create(SampleSchema, { time: NOW, disks: disks.map((mount) => ({ mount, used: 1n, total: 2n })) }),
      NOW,
    );
    expect(checked?.disks.map(({ mount }) => mount)).toEqual(disks.slice(3, 19));
  });
});
