import { describe, expect, it } from '@jest/globals';
import { create, toBinary } from '@bufbuild/protobuf';
import { MetricsSampleSchema } from '@warren/proto/agent/v1/agent';
import { SampleBuffer } from './buffer.ts';

const sample = (time: number) => create(MetricsSampleSchema, { time, cpuPercent: 5, memoryTotal: 4_000_000_000n });
const times = (buffer: SampleBuffer, limit = 10_000) => buffer.oldest(limit).samples.map(({ time }) => time);

describe('samples that the hub has not stored', () => {
  it('are returned oldest first, and stay until they are stored', () => {
    const buffer = new SampleBuffer();
    for (const time of [60, 120, 180]) buffer.add(sample(time));
    expect(buffer.oldest(2)).toMatchObject({ samples: [{ time: 60 }, { time: 120 }], more: true });
    expect(times(buffer)).toEqual([60, 120, 180]);
    buffer.stored(120);
    expect(buffer.oldest(2)).toMatchObject({ samples: [{ time: 180 }], more: false });
    buffer.stored(120);
    expect(times(buffer)).toEqual([180]);
  });

  it('are those of the last 24 hours', () => {
    const buffer = new SampleBuffer();
    for (let time = 60; time <= 25 * 3_600; time += 60) buffer.add(sample(time));
    const kept = times(buffer);
    expect(kept[0]).toBe(3_600);
    expect(kept.length).toBe(1_441);
  });

  it('are limited in size', () => {
    const one = toBinary(MetricsSampleSchema, sample(60)).length;
    const buffer = new SampleBuffer(10 * one + 5);
    for (let time = 60; time <= 60 * 60; time += 60) buffer.add(sample(time));
    expect(times(buffer).length).toBeLessThanOrEqual(10);
    expect(times(buffer).at(-1)).toBe(3_600);
  });

  it('differ by their time, also when the clock is set back', () => {
    const buffer = new SampleBuffer();
    for (const time of [1_000_000, 1_000_060, 1_000_060, 60, 120]) buffer.add(sample(time));
    expect(times(buffer)).toEqual([60, 120]);
  });
});
