import { describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { SampleSchema } from '@warren/proto/fleet/v1/metrics';
import { FreshSamples } from './fresh.samples.ts';

const NOW = 1_800_000_000;
const at = (...ages: number[]) => ages.map((age) => create(SampleSchema, { time: NOW - age }));

describe('FreshSamples', () => {
  it('leaves out what comes again, or before what has come', () => {
    const fresh = new FreshSamples();
    const ages = (id: string, ...some: number[]) => fresh.of(id, at(...some), NOW).map(({ time }) => NOW - time);
    expect(ages('a', 180, 120)).toEqual([180, 120]);
    expect(ages('a', 240, 120, 60)).toEqual([60]);
    expect(ages('a', 60)).toEqual([]);
    expect(ages('b', 60)).toEqual([60]);
  });

  it('leaves out what is older than half an hour', () => {
    expect(new FreshSamples().of('a', at(1_800, 1_799), NOW)).toHaveLength(1);
  });
});
