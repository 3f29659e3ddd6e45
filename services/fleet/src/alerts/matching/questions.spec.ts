import { describe, expect, it } from '@jest/globals';
import { DEFAULT_ALERT_RULES, type DefaultAlertRule } from '@warren/rules/alerts';
import { parseFilter } from '@warren/rules/filter/parse';
import { questionsOf } from './questions.ts';

const of = (accountId: string) => (rule: DefaultAlertRule) => ({ ...rule, accountId });
const RULES = DEFAULT_ALERT_RULES.map(of('a'));
const [offline] = RULES as [(typeof RULES)[number]];

describe('the questions of rules', () => {
  it('are one for rules that ask the same', () => {
    const { questions } = questionsOf([...RULES, { ...offline, accountId: 'b', name: 'Another' }]);
    expect(questions).toHaveLength(DEFAULT_ALERT_RULES.length);
    expect(questions[0]?.rules.map(({ name }) => name)).toEqual(['Offline', 'Another']);
  });

  it('are others for another filter, time or number of days', () => {
    const [disk] = RULES.filter(({ kind }) => kind === 'disk_full') as typeof RULES & [(typeof RULES)[number]];
    const { questions } = questionsOf([
      offline,
      { ...offline, minutes: 11 },
      { ...offline, filter: 'site=north' },
      disk,
      { ...disk, days: 3 },
    ]);
    const known = [undefined, undefined, undefined, { fullWithin: 7 }, { fullWithin: 3 }];
    expect(questions.map((question) => question.known)).toEqual(known);
  });

  it('are one for each account where they name saved filters', () => {
    const named = { ...offline, filter: 'in:north' };
    const { questions } = questionsOf([named, { ...named, accountId: 'b' }, { ...named, name: 'Another' }]);
    expect(questions.map(({ rules }) => rules.map((rule) => rule.accountId))).toEqual([['a', 'a'], ['b']]);
  });

  it('are one for each rule over metrics', () => {
    const busy = { ...offline, kind: 'metric' as const, condition: 'cpu.avg>80' };
    const { questions, unreadable } = questionsOf([
      { ...busy, id: 'r' },
      { ...busy, id: 's' },
      { ...busy, id: 't', condition: 'cpu>80' },
    ]);
    expect(questions.map(({ known, query }) => [known, query.condition?.case])).toEqual([
      [{ holdsFor: 'r' }, undefined],
      [{ holdsFor: 's' }, undefined],
    ]);
    expect(unreadable).toMatchObject([{ id: 't' }]);
  });

  it('are filters that can be read', () => {
    for (const { query } of questionsOf(RULES).questions)
      if (query.condition?.case === 'expression') expect(parseFilter(query.condition.value as string).ok).toBe(true);
  });

  it('leave out rules that a newer version wrote', () => {
    const newer = { ...offline, filter: 'cpu>high' };
    const unknown = { ...offline, kind: 'on_fire' as DefaultAlertRule['kind'] };
    const { questions, unreadable } = questionsOf([offline, newer, unknown]);
    expect(questions).toHaveLength(1);
    expect(unreadable).toEqual([newer, unknown]);
  });
});
