import { expect, it } from '@jest/globals';
import { encodeEvents } from '@warren/rules/recordings/frames';
import { output } from '../../../testing/recordings.ts';
import { ChunkCache } from './chunk-cache.ts';
import { afterIdle, ReplayClock, speedBeside } from './clock.ts';
import { Timeline } from './timeline.ts';

const page = (first: number, from: number[]) => ({
  first,
  offsets: from.map((at) => at),
  from,
  to: from.map((at) => at + 10),
  sizes: from.map(() => 5),
  end: 0,
  more: false,
});

it('finds the chunk of a time', () => {
  const timeline = new Timeline();
  timeline.add(page(0, [0, 100, 200]));
  expect([-1, 0, 99, 100, 150, 200, 9_999].map((at) => timeline.chunkAt(at))).toEqual([0, 0, 0, 1, 1, 2, 2]);
  timeline.add(page(1, [100, 200, 300]));
  expect(timeline).toMatchObject({ count: 4, durationMs: 310, bytes: 20 });
  expect(timeline.between(1, 3)).toBe(10);
  expect(() => timeline.add(page(9, [900]))).toThrow(RangeError);
  expect(new Timeline().chunkAt(5)).toBe(0);
});

it('keeps the chunks that were used last, and reads one at a time', async () => {
  const read: number[] = [];
  const cache = new ChunkCache(
    (sequence) => {
      read.push(sequence);
      return Promise.resolve(encodeEvents([output(0, 'x'.repeat(400))], 0));
    },
    () => 0,
    1_200,
  );
  await Promise.all([cache.get(0), cache.get(0)]);
  await cache.get(1);
  expect(cache.peek(0)).toHaveLength(1);
  await cache.get(2);
  expect(cache.peek(1)).toBeUndefined();
  expect(cache.peek(0)).toHaveLength(1);
  expect(cache.bytes).toBeLessThanOrEqual(1_200);
  expect(read).toEqual([0, 1, 2]);
  await cache.get(1);
  expect(read).toEqual([0, 1, 2, 1]);
});

it('keeps one chunk that alone is larger than the cache, and reads again what failed', async () => {
  let fails = true;
  const cache = new ChunkCache(
    () => (fails ? Promise.reject(new Error('no')) : Promise.resolve(encodeEvents([output(0, 'x'.repeat(400))], 0))),
    () => 0,
    10,
  );
  await expect(cache.get(0)).rejects.toThrow('no');
  fails = false;
  await cache.get(0);
  await cache.get(1);
  expect(cache.peek(0)).toBeUndefined();
  expect(cache.peek(1)).toHaveLength(1);
});

it('runs with its speed, and keeps its place when that changes', () => {
  const clock = new ReplayClock();
  clock.start(1_000);
  expect(clock.at(1_500)).toBe(500);
  clock.setSpeed(4, 1_500);
  expect(clock.at(1_600)).toBe(900);
  clock.stop(1_600);
  expect(clock.at(9_000)).toBe(900);
  clock.move(-5, 9_000);
  expect(clock.at(9_000)).toBe(0);
  clock.setSpeed(0.5, 9_000);
  clock.start(9_000);
  clock.start(9_500);
  expect(clock.at(10_000)).toBe(500);
});

it('has speeds from a half to sixteen', () => {
  expect(speedBeside(0.5, -1)).toBe(0.5);
  expect(speedBeside(1, 1)).toBe(1.5);
  expect(speedBeside(16, 1)).toBe(16);
});

it('cuts pauses short that are longer than 2 seconds', () => {
  expect(afterIdle(1_000, 0, 2_000)).toBeUndefined();
  expect(afterIdle(100, 0, 10_000)).toBeUndefined();
  expect(afterIdle(300, 0, 10_000)).toBe(9_750);
  expect(afterIdle(9_800, 0, 10_000)).toBeUndefined();
});
