import { afterEach, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import type { MetricsSample } from '@warren/proto/agent/v1/agent';
import { totalmem } from 'node:os';
import { Sampler } from '../src/metrics/sampler.ts';
import { DiskReader } from '../src/system/disks.ts';

const errors: unknown[] = [];
const sampler = new Sampler(new DiskReader(), (error) => errors.push(error));

afterEach(() => sampler.stop());

it('samples this machine, and keeps what the hub has not stored', async () => {
  const kept = (stored = 0) => sampler.take({ stored, limit: 10 }).samples;
  const since = Math.floor(Date.now() / 1_000);
  sampler.start(100);
  await until(() => kept().length > 1);
  const [first, second] = kept() as [MetricsSample, MetricsSample];
  expect(first).toMatchObject({ memoryTotal: BigInt(totalmem()) });
  expect(first.time).toBeGreaterThanOrEqual(since);
  expect(second.time).toBeGreaterThan(first.time);
  expect(first.cpuPercent).toBeGreaterThanOrEqual(0);
  expect(first.cpuPercent).toBeLessThanOrEqual(100);
  expect(first.memoryUsed).toBeGreaterThan(0n);
  expect(first.boot).toBeLessThan(since);
  for (const { mount, used, total } of first.disks) {
    expect(mount).toMatch(/^\//);
    expect(used).toBeLessThanOrEqual(total);
  }
  expect(first.disks).not.toEqual([]);
  expect(kept(first.time)[0]?.time).toBe(second.time);
  expect(errors).toEqual([]);
});
