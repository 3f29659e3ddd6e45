import { describe, expect, it } from '@jest/globals';
import { matches, type FilterDevice } from './match.ts';
import { parseFilter } from './parse.ts';
import { compareVersions } from './versions.ts';

const NOW = Date.UTC(2026, 10, 24, 12);
const DEVICE: FilterDevice = {
  id: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f',
  labels: { site: 'north', ring: 'Canary' },
  connected: true,
  name: 'Pump 4',
  hostname: 'raspberrypi',
  account: { id: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f', name: 'Meadow Farms' },
  serial: '10000000a3b4c5d6',
  addresses: ['192.168.1.7', '203.0.113.9'],
  os: 'Debian GNU/Linux 12 (bookworm)',
  kernel: '6.12.34+rpt-rpi-v8',
  arch: 'aarch64',
  model: 'Raspberry Pi 4 Model B Rev 1.4',
  agentVersion: '0.2.0-rc.1',
  lastSeen: NOW - 3_600_000,
  created: Date.UTC(2026, 10, 1),
  cpu: 91,
  cores: 4,
  ram: 4 * 2 ** 30,
  console: true,
  web: false,
};

function holds(text: string, device: FilterDevice = DEVICE): boolean {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(parsed.errors[0]?.message);
  return matches(parsed.filter, device, NOW);
}

describe('matches', () => {
  it.each([
    '',
    'pump',
    'RASPBERRY',
    '203.0.113',
    'site=north',
    'label:ring',
    'ring~can',
    'ring!=canary',
    'missing!=x',
    'status=connected',
    'account="meadow farms"',
    'account=01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f',
    'address~192.168.',
    'id=01997B5C-2f4e-7d3a-9c51-0a2b3c4d5e6f',
    'model~"pi 4" or os~windows',
    'agent<0.2.0',
    'agent>=0.1.9',
    'agent~rc',
    'last_seen<2h',
    'last_seen!=never',
    'created<30d',
    'created<2026-11-02',
    'cpu>90',
    'cores=4',
    'ram>=4GiB',
    'console=on web=off',
    'failed_update=no',
    '-(site=south or cpu<50)',
  ])('%s', (text) => {
    expect(holds(text)).toBe(true);
    expect(holds(`not (${text || 'pump'})`)).toBe(false);
  });

  it('a comparison with a value that is not known does not hold, and its negation does', () => {
    expect(holds('temperature>10')).toBe(false);
    expect(holds('temperature<=10')).toBe(false);
    expect(holds('-temperature>10')).toBe(true);
    expect(holds('temperature!=10')).toBe(true);
    expect(holds('throttled=no')).toBe(false);
    expect(holds('agent<9', { ...DEVICE, agentVersion: '' })).toBe(false);
  });

  it('a device that was never connected was last seen when it was enrolled', () => {
    const device = { ...DEVICE, connected: false, neverSeen: true, lastSeen: DEVICE.created };
    expect(holds('last_seen=never last_seen>7d', device)).toBe(true);
    expect(holds('last_seen!=never', device)).toBe(false);
  });

  it('a label is no property of every object', () => {
    expect(holds('label:constructor')).toBe(false);
    expect(holds('constructor=x')).toBe(false);
  });
});

describe('compareVersions', () => {
  it('follows the order of Semantic Versioning, section 11', () => {
    const ordered = ['0.9', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2'].concat([
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1',
      '1.10.0',
    ]);
    expect([...ordered].reverse().sort(compareVersions)).toEqual(ordered);
    expect(compareVersions('1.2.3+5', '1.2.3')).toBe(0);
  });
});
