import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { SampleSchema } from '@warren/proto/fleet/v1/metrics';
import { deviceSeries } from './device.series.ts';
import { InstanceNames } from './instance.names.ts';

const HOUR_MS = 3_600_000;
const DEVICE = { hub: 'hub.test', account: 'Acme', account_id: 'a1', device: 'pump', device_id: 'd1' };
const names = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `n${from + at}`);

describe('names of instances', () => {
  it('are 32 of each kind for a device, and those in use stay', () => {
    const known = new InstanceNames();
    const admitted = (some: string[], now: number, id = 'd1', kind = 'mount') =>
      some.filter((name) => known.admit(id, kind, name, now));
    expect(admitted(names(40), 0)).toEqual(names(32));
    expect(admitted(names(40), HOUR_MS)).toEqual(names(32));
    expect(admitted(['n0'], 2 * HOUR_MS)).toEqual(['n0']);
    expect(admitted(names(40), 2 * HOUR_MS, 'd2')).toHaveLength(32);
    expect(admitted(names(40), 2 * HOUR_MS, 'd1', 'interface')).toHaveLength(32);
    expect(admitted(['other', 'n0'], 3 * HOUR_MS)).toEqual(['n0']);
    // The others were not seen for two hours.
    expect(admitted(names(40, 100), 3 * HOUR_MS + 1)).toEqual(names(31, 100));
    expect(admitted(['n0'], 3 * HOUR_MS + 2)).toEqual(['n0']);
  });

  it('of all devices are bounded: those of the devices that were used first are forgotten', () => {
    const known = new InstanceNames(100);
    const admitted = (some: string[], id: string) => some.filter((name) => known.admit(id, 'mount', name, 0)).length;
    for (const id of ['d1', 'd2', 'd3']) expect(admitted(names(40), id)).toBe(32);
    expect([admitted(['other'], 'd1'), admitted(['other'], 'd2')]).toEqual([0, 0]);
    // 101 names: d3 is the oldest now.
    expect(admitted(names(5), 'd4')).toBe(5);
    expect([admitted(['other'], 'd1'), admitted(['other'], 'd2')]).toEqual([0, 0]);
    expect(admitted(names(40, 100), 'd3')).toBe(32);
  });

  it('of a device that invents them in each sample make no more series', () => {
    const known = new InstanceNames();
    const series = new Set<string>();
    for (let at = 0; at < 100; at++) {
      const disks = names(16, 16 * at).map((mount) => ({ mount, used: 1n, total: 2n }));
      const interfaces = names(16, 16 * at).map((name) => ({ name, rxBytes: 1n, txBytes: 1n }));
      for (const { labels } of deviceSeries(
        DEVICE,
        [create(SampleSchema, { time: 60 * at, disks, interfaces })],
        known,
      ))
        series.add(JSON.stringify(labels));
    }
    // Used and size of disks, received and sent of interfaces, and CPU, load and memory.
    expect(series.size).toBe(4 * 32 + 3);
  });
});
