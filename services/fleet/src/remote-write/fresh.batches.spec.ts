import { describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { SampleSchema } from '@warren/proto/fleet/v1/metrics';
import { freshBatches } from './fresh.batches.ts';

const NOW = 1_800_000_000;
const batch = (deviceId: string, ...ages: number[]) => ({
  deviceId,
  samples: ages.map((age) => create(SampleSchema, { time: NOW - age })),
});

describe('freshBatches', () => {
  const ages = (newest: Record<string, number>, ...batches: ReturnType<typeof batch>[]) => {
    const times = new Map(Object.entries(newest).map(([id, age]) => [id, NOW - age]));
    const { fresh, skipped } = freshBatches(batches, times);
    return { skipped, ...Object.fromEntries(fresh.map((one) => [one.deviceId, one.samples.map((s) => NOW - s.time)])) };
  };

  it('leaves out samples that the hub had, or that are older than those', () => {
    expect(ages({}, batch('a', 180, 120))).toEqual({ skipped: 0, a: [180, 120] });
    expect(ages({ a: 120 }, batch('a', 240, 120, 60), batch('b', 240))).toEqual({ skipped: 2, a: [60], b: [240] });
    expect(ages({ a: 60 }, batch('a', 60))).toEqual({ skipped: 1 });
  });
});
