import { describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { FactsSchema, type Facts } from '@warren/proto/agent/v1/agent';
import { Fault } from '@warren/platform/errors/fault';
import { checkFacts } from './facts.ts';

type Init = Partial<Omit<Facts, '$typeName' | '$unknown'>>;
const GOOD: Init = { hostname: 'pi', totalRam: 10n, usedRam: 10n, totalDisk: 10n, usedDisk: 0n, cpuUsage: 100 };

function problems(init: Init): string[] {
  try {
    checkFacts(create(FactsSchema, { ...GOOD, ...init }));
    return [];
  } catch (error) {
    if (error instanceof Fault && error.code === 'invalid_argument') return error.problems.map(({ field }) => field);
    throw error;
  }
}

describe('checkFacts', () => {
  it('takes good facts, and little of them', () => {
    expect(problems({})).toEqual([]);
    expect(checkFacts(create(FactsSchema, { ...GOOD, hostname: ' pi ' })).hostname).toBe('pi');
    expect(problems({ privateIp: 'fe80::1', model: 'Raspberry Pi 4 Model B Rev 1.5 – é', cpuUsage: 0 })).toEqual([]);
  });

  it.each<[string, Init]>([
    ['hostname', { hostname: '' }],
    ['hostname', { hostname: '\u0000' }],
    ['hostname', { hostname: 'x'.repeat(254) }],
    ['hostname', { hostname: 'evil\u202egnp' }],
    ['model', { model: 'Pi\u0000' }],
    ['model', { model: 'x'.repeat(129) }],
    ['os', { os: 'Debian\n12' }],
    ['kernel', { kernel: '\u001b[2J' }],
    ['arch', { arch: 'x'.repeat(33) }],
    ['agentVersion', { agentVersion: '\u2028' }],
    ['privateIp', { privateIp: '10.0.0.256' }],
    ['privateIp', { privateIp: 'fe80::1%eth0' }],
    ['cpuUsage', { cpuUsage: 100.1 }],
    ['cpuUsage', { cpuUsage: -1 }],
    ['cpuUsage', { cpuUsage: Number.NaN }],
    ['cpuUsage', { cpuUsage: Number.POSITIVE_INFINITY }],
    ['cpuCores', { cpuCores: 4_294_967_295 }],
    ['usedRam', { usedRam: 11n }],
    ['usedDisk', { usedDisk: 11n }],
    ['totalDisk', { totalDisk: 2n ** 64n - 1n }],
    ['temperature', { temperature: 201 }],
    ['temperature', { temperature: -61 }],
    ['uptimeSeconds', { uptimeSeconds: 2n ** 63n }],
    ['fullestDisk', { fullestDisk: `/${'x'.repeat(64)}` }],
    ['fullestDisk', { fullestDisk: '/srv/\u202e' }],
    ['fullestDiskUsage', { fullestDiskUsage: 100.1 }],
    ['load', { load: -1 }],
    ['load', { load: Number.POSITIVE_INFINITY }],
  ])('names %s when it is no good (%#)', (field, init) => {
    expect(problems(init)).toEqual([`facts.${field}`]);
  });

  it('accepts heat and throttling if reported, with known flags only', () => {
    const silent = checkFacts(create(FactsSchema, GOOD));
    expect([silent.temperature, silent.throttled]).toEqual([undefined, undefined]);
    const hot = checkFacts(create(FactsSchema, { ...GOOD, temperature: 81, throttled: 0xffff_ffff }));
    expect(hot).toMatchObject({ temperature: 81, throttled: 0xf_000f });
    expect(checkFacts(create(FactsSchema, { ...GOOD, temperature: -5, throttled: 0 }))).toMatchObject({
      temperature: -5,
      throttled: 0,
    });
  });

  it('names all of them, and says what was expected', () => {
    expect(() => checkFacts(create(FactsSchema, { ...GOOD, hostname: '', cpuUsage: 300 }))).toThrow(
      expect.objectContaining({
        problems: expect.arrayContaining([
          { field: 'facts.hostname', message: 'expected a name', value: '""' },
          { field: 'facts.cpuUsage', message: 'expected 0 to 100 percent', value: '300' },
        ]) as unknown,
      }),
    );
    expect(() => checkFacts(undefined)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ field: 'facts' })] }),
    );
  });
});
