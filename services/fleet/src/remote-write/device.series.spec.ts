import { describe, expect, it } from '@jest/globals';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { Metric, SampleSchema } from '@warren/proto/fleet/v1/metrics';
import { deviceSeries } from './device.series.ts';
import { InstanceNames } from './instance.names.ts';

const DEVICE = { hub: 'hub.test', account: 'Acme', account_id: 'a1', device: 'pump', device_id: 'd1' };
const TIME = 1_800_000_000;
const series = (init: MessageInitShape<typeof SampleSchema>, device = DEVICE) =>
  deviceSeries(device, [create(SampleSchema, { time: TIME, ...init })], new InstanceNames()).map(
    ({ labels = [], samples = [] }) => ({
      labels: labels.map(({ name = '', value = '' }) => `${name}=${value}`),
      values: samples.map(({ value }) => value),
      times: samples.map(({ timestamp }) => timestamp),
    }),
  );

describe('deviceSeries', () => {
  it('names and sorts labels, and leaves out empty ones', () => {
    const [disk] = series({ disks: [{ mount: '/data', used: 5n, total: 10n }] }).filter(({ labels }) =>
      labels.includes('mount=/data'),
    );
    expect(disk?.labels).toEqual([
      '__name__=warren_device_disk_used_bytes',
      'account=Acme',
      'account_id=a1',
      'device=pump',
      'device_id=d1',
      'hub=hub.test',
      'mount=/data',
    ]);
    expect(series({}, { ...DEVICE, account: '' })[0]?.labels).not.toContain('account=');
  });

  it('gives base units, and milliseconds', () => {
    const byName = Object.fromEntries(
      series({ cpuPercent: 50, roundTripMs: 250, memoryUsed: 3n, memoryTotal: 8n, throttled: 1 }).map((one) => [
        one.labels[0]?.replace('__name__=warren_device_', ''),
        one,
      ]),
    );
    expect(byName['cpu_ratio']).toMatchObject({ values: [0.5], times: [BigInt(TIME) * 1_000n] });
    expect(byName['round_trip_seconds']?.values).toEqual([0.25]);
    expect(byName['memory_used_bytes']?.values).toEqual([3]);
    expect(byName['memory_size_bytes']?.values).toEqual([8]);
    expect(byName['throttled']?.values).toEqual([1]);
    expect(byName).not.toHaveProperty('temperature_celsius');
  });

  it('gives a size at each time at which something of it is used', () => {
    const samples = [
      create(SampleSchema, { time: TIME, memoryTotal: 8n, disks: [{ mount: '/', used: 1n, total: 4n }] }),
      create(SampleSchema, { time: TIME + 60, memoryTotal: 8n }),
    ];
    const timesOf = (name: string) =>
      deviceSeries(DEVICE, samples, new InstanceNames())
        .find(({ labels = [] }) => labels.some(({ value }) => value === `warren_device_${name}`))
        ?.samples?.map(({ timestamp, value }) => [Number(timestamp) / 1_000 - TIME, value]);
    expect(timesOf('memory_size_bytes')).toEqual([
      [0, 8],
      [60, 8],
    ]);
    expect(timesOf('disk_size_bytes')).toEqual([[0, 4]]);
  });

  it('has a name for each metric', () => {
    const all = series({
      temperature: 40,
      roundTripMs: 1,
      throttled: 0,
      memoryTotal: 1n,
      disks: [{ mount: '/', used: 1n, total: 1n }],
      interfaces: [{ name: 'eth0', rxBytes: 60n, txBytes: 120n }],
    });
    const metrics = Object.values(Metric).filter((one) => typeof one === 'number').length - 1;
    // Memory and disk have a size as well.
    expect(new Set(all.map(({ labels }) => labels[0])).size).toBe(metrics + 2);
  });
});
