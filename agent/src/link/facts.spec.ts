import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { FactsSchema } from '@warren/proto/agent/v1/agent';
import { worthTelling } from './facts.ts';

const base = { hostname: 'a', cpuUsage: 10, totalRam: 1000n, usedRam: 500n, totalDisk: 1000n, usedDisk: 500n };
const facts = (change: MessageInitShape<typeof FactsSchema> = {}) => create(FactsSchema, { ...base, ...change });

describe('worthTelling', () => {
  it.each([
    ['nothing', {}, false],
    ['time', { uptimeSeconds: 9n }, false],
    ['a little of everything', { cpuUsage: 14, usedRam: 515n, usedDisk: 505n }, false],
    ['the processor', { cpuUsage: 15 }, true],
    ['memory', { usedRam: 520n }, true],
    ['the disk', { usedDisk: 490n }, true],
    ['a name', { hostname: 'b' }, true],
    ['an address', { privateIp: '10.0.0.1' }, true],
  ])('%s', (_what, change, expected) => expect(worthTelling(facts(), facts(change))).toBe(expected));
});
