import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from '@jest/globals';
import type { RuleRow } from '../records/rules.sql.ts';
import { findingOf } from './details.ts';
import type { Match } from './transition.ts';

const NOW = new Date('2026-12-05T12:00:00Z');
const DAY_MS = 86_400_000;
const match: Match = { deviceId: 'd', name: 'pi', current: true, detail: '', since: timestampFromDate(NOW) };

it.each<[Partial<RuleRow>, Partial<Match>, string]>([
  [{ kind: 'offline' }, {}, 'Disconnected since 2026-12-05 12:00 UTC.'],
  [{ kind: 'never_connected' }, {}, 'Enrolled 2026-12-05 12:00 UTC, never connected.'],
  [{ kind: 'flapping', minutes: 60 }, { value: 6 }, 'The link broke 6 times within 60 minutes.'],
  [{ kind: 'update_failed' }, { detail: '0.3.0 failed: no space left' }, 'The update to 0.3.0 failed: no space left'],
  [{ kind: 'condition', condition: 'memory>95' }, { value: 96.234 }, 'memory is 96.2 % (memory>95)'],
  [
    { kind: 'condition', condition: 'site=x temperature>80' },
    { value: 81 },
    'temperature is 81 °C (site=x temperature>80)',
  ],
  [{ kind: 'condition', condition: 'throttled=yes' }, {}, 'throttled=yes'],
  [{ kind: 'disk_full' }, {}, '/data is full in 1.5 days at the present pace.'],
])('%j of %j says %s', (rule, found, detail) => {
  const trend = { device_id: 'd', mount: '/data', full_at: new Date(NOW.getTime() + 1.5 * DAY_MS) };
  expect(findingOf(rule as RuleRow, { ...match, ...found }, { now: NOW, trend }).detail).toBe(detail);
});
