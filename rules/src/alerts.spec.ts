import { describe, expect, it } from '@jest/globals';
import { alertRuleSchema, DEFAULT_ALERT_RULES } from './alerts.ts';

const problems = (value: unknown) =>
  alertRuleSchema.safeParse(value).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];

describe('a rule', () => {
  it('has what its kind has, with defaults', () => {
    expect(alertRuleSchema.parse({ name: ' Lost ', kind: 'offline', condition: 'cpu>9', times: 7 })).toEqual({
      name: 'Lost',
      kind: 'offline',
      filter: '',
      condition: '',
      minutes: 10,
      days: 0,
      times: 0,
      severity: 'warning',
      enabled: true,
    });
    expect(alertRuleSchema.parse({ name: 'x', kind: 'condition', condition: 'cpu>90', minutes: 0 }).minutes).toBe(0);
  });

  it.each([
    [{ kind: 'condition', condition: ' ' }, 'condition', 'expected a condition such as disk>90'],
    [{ kind: 'condition', condition: 'cpu>' }, 'condition', 'Expected a value after “cpu>”. (at character 4)'],
    [{ kind: 'offline', filter: 'site=north (' }, 'filter', 'Expected a term. (at character 13)'],
    [{ kind: 'offline', filter: 'x'.repeat(1_001) }, 'filter', 'expected at most 1000 characters'],
    [{ kind: 'offline', minutes: 0 }, 'minutes', 'expected 1 to 43200'],
    [{ kind: 'metric', condition: 'cpu.avg>8', minutes: 4 }, 'minutes', 'expected 5 to 1440'],
    [
      { kind: 'metric', condition: 'cpu>8' },
      'condition',
      'Expected a metric and how it is summed up, such as cpu.avg. (at character 1)',
    ],
    [{ kind: 'metric' }, 'condition', 'expected a condition such as cpu.avg>80'],
    [{ kind: 'flapping', times: 1 }, 'times', 'expected a whole number from 2 to 1000'],
    [{ kind: 'disk_full', days: 91 }, 'days', 'expected a whole number from 1 to 90'],
  ])('%j is refused with its place', (wrong, field, message) => {
    expect(problems({ name: 'x', ...wrong })).toContainEqual([field, message]);
  });
});

it('the default rules have different names', () => {
  expect(new Set(DEFAULT_ALERT_RULES.map(({ preset }) => preset)).size).toBe(DEFAULT_ALERT_RULES.length);
  expect(new Set(DEFAULT_ALERT_RULES.map(({ name }) => name)).size).toBe(DEFAULT_ALERT_RULES.length);
});
