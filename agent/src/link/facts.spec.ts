import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { FactsSchema } from '@warren/proto/agent/v1/agent';
import { worthReporting } from './facts.ts';

const base = { hostname: 'a', cpuUsage: 10, totalRam: 1000n, usedRam: 500n, totalDisk: 1000n, usedDisk: 500n };
const warm = { ...base, temperature: 50, throttled: 0 };
const facts = (change: MessageInitShape<typeof FactsSchema> = {}) => create(FactsSchema, { ...base, ...change });

describe('worthReporting', () => {
  it.each([
    ['nothing', {}, false],
    ['time', { uptimeSeconds: 9n }, false],
    ['a little of everything', { cpuUsage: 14, usedRam: 515n, usedDisk: 505n }, false],
    ['the processor', { cpuUsage: 15 }, true],
    ['memory', { usedRam: 520n }, true],
    ['the disk', { usedDisk: 490n }, true],
    ['a name', { hostname: 'b' }, true],
    ['an address', { privateIp: '10.0.0.1' }, true],
  ])('%s', (_what, change, expected) => expect(worthReporting(facts(), facts(change))).toBe(expected));

  it.each([
    ['a little warmth', { ...warm, temperature: 54 }, false],
    ['much of it', { ...warm, temperature: 55 }, true],
    ['a chill', { ...warm, temperature: 45 }, true],
    ['a sensor that fell silent', { ...warm, temperature: undefined }, true],
    ['the firmware slowing the processor down', { ...warm, throttled: 0x4_0004 }, true],
  ])('%s', (_what, change, expected) => expect(worthReporting(facts(warm), facts(change))).toBe(expected));

  const busy = { ...base, cpuCores: 8, fullestDisk: '/data', fullestDiskUsage: 80, load: 3, time: 1_000_000n };
  it.each([
    ['a disk that fills a little', { ...busy, fullestDiskUsage: 80.9 }, false],
    ['one that fills much', { ...busy, fullestDiskUsage: 81 }, true],
    ['another disk that is as full', { ...busy, fullestDisk: '/srv', fullestDiskUsage: 80.1 }, false],
    ['no disk that answers', { ...busy, fullestDisk: undefined, fullestDiskUsage: undefined }, true],
    ['a little load', { ...busy, load: 4.9 }, false],
    ['much load', { ...busy, load: 1 }, true],
    ['time that passed', { ...busy, uptimeSeconds: 300n, time: 1_305_000n }, false],
    ['a clock that was set', { ...busy, uptimeSeconds: 300n, time: 1_000_000_000n }, true],
    ['a clock that was set back', { ...busy, uptimeSeconds: 300n, time: 900_000n }, true],
  ])('%s', (_what, change, expected) => expect(worthReporting(facts(busy), facts(change))).toBe(expected));
});
