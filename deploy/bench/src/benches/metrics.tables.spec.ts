import { describe, expect, it } from '@jest/globals';
import { tables, type Measured } from './metrics.tables.ts';

const work = (cpuS: number, seconds: number) => ({
  seconds,
  processes: [
    { name: 'fleet', cpuS, residentBytes: 100_000_000 },
    { name: 'tunnels', cpuS: 6, residentBytes: 200_000_000 },
  ],
});

const MEASURED: Measured = {
  agents: 10_000,
  storing: { work: work(1.2, 120), reports: 10_000, bytes: 4_000_000 },
  hourly: { work: work(1, 10), spans: 20, devices: 100 },
  daily: { work: work(3, 10), spans: 30, devices: 100 },
  bytes: { samples: 1_000, fiveMinutes: 20_000, hours: 50_000 },
  charts: { devices: 1_000, p50: 10, p95: 20 },
};

describe('the tables of metrics', () => {
  const [processes, sizes, charts] = tables(MEASURED);

  it('give the share of a core of a whole fleet', () => {
    const [fleet, tunnels] = processes?.rows ?? [];
    // 0.5 ms for an hour of a device: 5 s for 10,000 in 3,600 s. 1 ms for a day: 10 s in 86,400 s.
    expect(fleet?.values.map((value) => Number(value?.toFixed(3)))).toEqual([1, 0.139, 0.012, 1.15, 100]);
    expect(tunnels?.values).toEqual([5, undefined, undefined, 5, 200]);
  });

  it('give the room of a device', () => {
    // 60 reports of 0.4 KB, 72 hours, 31 days, 14 months.
    expect(sizes?.rows.at(-1)?.values.at(-1)).toBeCloseTo(24 + 72 + 620 + 700);
    expect(sizes?.notes[0]).toBe('1.42 MB after 13 months, within 2 MB.');
    expect(sizes?.notes[1]).toContain('46 KB a day for three days, 22 KB for a month, then 1.6 KB a day');
  });

  it('say whether targets are met', () => {
    expect(processes?.notes[0]).toBe('Fleet takes 1.2 % of a core; under 20 %.');
    expect(charts?.notes[0]).toBe('p95 is under 200 ms.');
    expect(tables({ ...MEASURED, charts: { devices: 1, p50: 1, p95: 201 } })[2]?.notes[0]).toContain('over');
  });
});
