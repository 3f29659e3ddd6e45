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

  it('of a day have room with 8 disks and 8 interfaces', () => {
    const buffer = new SampleBuffer();
    // Traffic is another one each minute, and disks fill.
    const about = (middle: number) => BigInt(Math.round(middle * (0.5 + Math.random())));
    const filling = (time: number) => BigInt(8_000_000_000 + (time % 1e6) * 4_096 + Math.round(1e6 * Math.random()));
    const full = (time: number) =>
      create(MetricsSampleSchema, {
        time,
        boot: 1_700_000_000,
        temperature: 40 + Math.round(10 * Math.random()),
        throttled: 0,
        cpuPercent: 100 * Math.random(),
        load1: Math.random(),
        memoryUsed: about(2e9),
        memoryTotal: 4_000_000_000n,
        disks: Array.from({ length: 8 }, (_, at) => ({
          mount: `/srv/volume-${at}`,
          used: filling(time),
          total: 32_000_000_000n,
        })),
        interfaces: Array.from({ length: 8 }, (_, at) => ({
          name: `eth${at}`,
          rxBytes: about(50_000),
          txBytes: about(9_000),
        })),
      });
    const first = 1_790_000_000;
    const last = first + 24 * 3_600;
    for (let time = first; time <= last; time += 60) buffer.add(full(time));
    let seen = 0;
    for (let { samples, more } = buffer.oldest(10); samples.length > 0; { samples, more } = buffer.oldest(10)) {
      expect(samples.map(({ time }) => time)).toEqual(samples.map((_, at) => first + (seen + at) * 60));
      expect(samples[0]?.disks).toHaveLength(8);
      seen += samples.length;
      expect(more).toBe(seen < 1_441);
      buffer.stored(samples.at(-1)?.time ?? 0);
    }
    expect(seen).toBe(1_441);
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
