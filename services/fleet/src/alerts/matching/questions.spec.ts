import { describe, expect, it } from '@jest/globals';
import { DEFAULT_ALERT_RULES, type DefaultAlertRule } from '@warren/rules/alerts';
import { parseFilter } from '@warren/rules/filter/parse';
import { questionsOf } from './questions.ts';

const [offline] = DEFAULT_ALERT_RULES as readonly [DefaultAlertRule];

describe('the questions of rules', () => {
  it('are one for rules that ask the same', () => {
    const { questions } = questionsOf([...DEFAULT_ALERT_RULES, { ...offline, name: 'Another' }]);
    expect(questions).toHaveLength(DEFAULT_ALERT_RULES.length);
    expect(questions[0]?.rules.map(({ name }) => name)).toEqual(['Offline', 'Another']);
  });

  it('are others for another filter, time or number of days', () => {
    const [disk] = DEFAULT_ALERT_RULES.filter(({ kind }) => kind === 'disk_full') as [DefaultAlertRule];
    const { questions } = questionsOf([
      offline,
      { ...offline, minutes: 11 },
      { ...offline, filter: 'site=north' },
      disk,
      { ...disk, days: 3 },
    ]);
    expect(questions.map(({ fullWithin }) => fullWithin)).toEqual([undefined, undefined, undefined, 7, 3]);
  });

  it('are filters that can be read', () => {
    for (const { query } of questionsOf(DEFAULT_ALERT_RULES).questions)
      if (query.condition?.case === 'expression') expect(parseFilter(query.condition.value as string).ok).toBe(true);
  });

  it('leave out rules that a newer version wrote', () => {
    const newer = { ...offline, filter: 'cpu>high' };
    const { questions, unreadable } = questionsOf([offline, newer]);
    expect(questions).toHaveLength(1);
    expect(unreadable).toEqual([newer]);
  });
});
