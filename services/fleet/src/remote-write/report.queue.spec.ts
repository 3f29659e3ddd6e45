import { describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { SampleSchema } from '@warren/proto/fleet/v1/metrics';
import { ReportQueue } from './report.queue.ts';

const batch = (deviceId: string, samples = 1) => ({
  deviceId,
  samples: Array.from({ length: samples }, (_, at) => create(SampleSchema, { time: 1_000 + 60 * at })),
});

describe('ReportQueue', () => {
  it('gives the oldest reports first, whole, and up to a number of devices', () => {
    const queue = new ReportQueue(1_000_000);
    queue.push([batch('a'), batch('b')]);
    queue.push([batch('c'), batch('d')]);
    queue.push([batch('e')]);
    const ids = () => queue.take(3).map(({ deviceId }) => deviceId);
    expect(ids()).toEqual(['a', 'b']);
    expect(ids()).toEqual(['c', 'd', 'e']);
    expect(ids()).toEqual([]);
    expect(queue.bytes).toBe(0);
  });

  it('gives a report of more devices than asked for', () => {
    const queue = new ReportQueue(1_000_000);
    queue.push([batch('a'), batch('b')]);
    expect(queue.take(1)).toHaveLength(2);
  });

  it('drops the oldest reports when it is full, and counts their samples', () => {
    const queue = new ReportQueue(1_000);
    expect(queue.push([batch('a', 2)])).toBe(0);
    expect(queue.push([batch('b')])).toBe(0);
    expect(queue.push([batch('c')])).toBe(0);
    expect(queue.push([batch('d')])).toBe(2);
    expect(queue.bytes).toBeLessThanOrEqual(1_000);
    expect(queue.take(10).map(({ deviceId }) => deviceId)).toEqual(['b', 'c', 'd']);
  });

  it('keeps no report that is larger than all of it', () => {
    const queue = new ReportQueue(500);
    expect(queue.push([batch('a', 1_000)])).toBe(1_000);
    expect(queue.bytes).toBe(0);
  });
});
