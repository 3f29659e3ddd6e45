import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from '@jest/globals';
import type { AlertRuleEntity } from '../records/rule.entity.ts';
import { findingOf } from './details.ts';
import type { Match } from './transition.ts';

const NOW = new Date('2026-12-05T12:00:00Z');
const match: Match = { deviceId: 'd', name: 'pi', current: true, detail: '', since: timestampFromDate(NOW) };

it.each<[Partial<AlertRuleEntity>, Partial<Match>, string]>([
  [{ kind: 'offline' }, {}, 'Disconnected since 2026-12-05 12:00 UTC.'],
  [{ kind: 'never_connected' }, {}, 'Enrolled 2026-12-05 12:00 UTC, never connected.'],
  [{ kind: 'flapping', minutes: 60 }, { value: 6 }, 'The link broke 6 times within 60 minutes.'],
  [{ kind: 'update_failed' }, { detail: '0.3.0 failed: no space left' }, 'The update to 0.3.0 failed: no space left'],
  [
    { kind: 'job_failed' },
    { detail: 'reboot: The device is not connected.' },
    'A bulk job failed: reboot: The device is not connected.',
  ],
  [{ kind: 'condition', condition: 'memory>95' }, { value: 96.234 }, 'memory is 96.2 % (memory>95)'],
  [
    { kind: 'condition', condition: 'site=x temperature>80' },
    { value: 81 },
    'temperature is 81 °C (site=x temperature>80)',
  ],
  [
    { kind: 'condition', condition: 'disk>90' },
    { value: 93.24, detail: 'on /data' },
    'disk is 93.2 % on /data (disk>90)',
  ],
  [{ kind: 'condition', condition: 'load>4' }, { value: 6.42 }, 'load is 6.4 (load>4)'],
  [{ kind: 'condition', condition: 'clock>60s' }, { value: 95, detail: 'ahead' }, 'clock is 95 s ahead (clock>60s)'],
  [
    { kind: 'condition', condition: 'clock>60s' },
    { value: 1_796_000_000, detail: 'behind' },
    'clock is 20787 days behind (clock>60s)',
  ],
  [{ kind: 'condition', condition: 'uptime>1h' }, { value: 7_300 }, 'uptime is 2 h (uptime>1h)'],
  [{ kind: 'condition', condition: 'throttled=yes' }, {}, 'throttled=yes'],
])('%j of %j says %s', (rule, found, detail) => {
  expect(findingOf(rule as AlertRuleEntity, { ...match, ...found }, undefined).detail).toBe(detail);
});

it('says what fleet itself found, in bounds and as text', () => {
  const known = { detail: `disk.avg was 93 % on /${'\ud800x'.repeat(400)}`, value: 93 };
  const { detail, value } = findingOf({ kind: 'metric' } as AlertRuleEntity, match, known);
  expect(detail).toHaveLength(300);
  expect(detail.isWellFormed()).toBe(true);
  expect(value).toBe(93);
});
