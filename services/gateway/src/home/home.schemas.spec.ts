import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { DeviceSchema } from '@warren/proto/devices/v1/devices';
import { parseFilter } from '@warren/rules/filter/parse';
import { overviewSchema, RANKING_NAMES, rankingJson, rankingRequest } from './home.schemas.ts';

const device = create(DeviceSchema, {
  id: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f',
  name: 'pi',
  accountId: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e60',
  accountName: 'Acme',
  facts: { usedDisk: 955n, totalDisk: 1_000n, usedRam: 1n, totalRam: 3n, temperature: 81 },
});
const rank = (name: (typeof RANKING_NAMES)[number], ranked = device) =>
  rankingJson(name, { total: 7, devices: [ranked] });

describe('the overview', () => {
  it.each(RANKING_NAMES)('lists %s by a filter that the device list takes too', (name) => {
    const { filter } = rankingRequest(name, '');
    expect(parseFilter(filter ?? '')).toMatchObject({ ok: true });
    expect(rank(name)).toMatchObject({ filter, total: 7 });
  });

  it('shows what a ranking is by', () => {
    const values = RANKING_NAMES.map((name) => [name, rank(name).devices[0]?.value]);
    expect(Object.fromEntries(values)).toEqual({
      longest_offline: null,
      fullest_disks: 95.5,
      least_memory: 33.3,
      hottest: 81,
      newest: null,
      failed_updates: null,
    });
  });

  it('shows the fullest disk of a device that tells which it is', () => {
    const facts = { usedDisk: 955n, totalDisk: 1_000n, fullestDisk: '/data', fullestDiskUsage: 97.1 };
    const ranked = create(DeviceSchema, { id: device.id, facts });
    expect(rank('fullest_disks', ranked).devices[0]?.value).toBe(97.1);
  });

  it('shows no value of a device that has told none', () => {
    const silent = create(DeviceSchema, { id: device.id, name: 'pi', accountId: device.accountId });
    expect(rank('fullest_disks', silent).devices[0]?.value).toBeNull();
    expect(rank('hottest', silent).devices[0]?.value).toBeNull();
  });

  it('answers by its schema', () => {
    const whole = { ...Object.fromEntries(RANKING_NAMES.map((name) => [name, rank(name)])), versions: null };
    expect(overviewSchema.safeParse(whole).error).toBeUndefined();
  });
});
