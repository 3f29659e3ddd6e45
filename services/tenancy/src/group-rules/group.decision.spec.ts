import { describe, expect, it } from '@jest/globals';
import { decide } from './group.decision.ts';
import type { PlaceRow } from './group.rules.sql.ts';

const rule = (value: string, group: string, provisioned = false) => ({
  id: `rule-${value}`,
  value,
  group_id: group,
  group_name: group,
  provisioned,
});
const RULES = [rule('ops', 'Operations'), rule('eng', 'Engineers'), rule('dev', 'Engineers')];
const MEMBERS: PlaceRow = {
  group_id: 'Members',
  group_name: 'Members',
  role: 'Member',
  home: true,
  provisioned: false,
  rule_id: null,
};
const place = (group: string, more: Partial<PlaceRow> = {}): PlaceRow => ({
  ...MEMBERS,
  group_id: group,
  group_name: group,
  home: group === 'Members',
  ...more,
});
const byRule = (group: string, id: string) => place(group, { rule_id: id });

describe('rules', () => {
  it.each([
    ['a match moves a user of the default group', MEMBERS, ['eng', 'x'], 'moved', 'rule-eng'],
    [
      'the first rule that matches decides, whatever the order at the provider',
      MEMBERS,
      ['eng', 'ops'],
      'moved',
      'rule-ops',
    ],
    ['no match leaves a user in the default group', MEMBERS, ['x'], 'kept', undefined],
    ['a match of the group where a rule put the user', byRule('Engineers', 'rule-eng'), ['eng'], 'kept', 'rule-eng'],
    ['another rule for the same group', byRule('Engineers', 'rule-eng'), ['dev'], 'kept', 'rule-dev'],
    ['another group', byRule('Engineers', 'rule-eng'), ['ops'], 'moved', 'rule-ops'],
    ['no group any more', byRule('Engineers', 'rule-eng'), [], 'moved', undefined],
    ['groups that are not known', byRule('Engineers', 'rule-eng'), undefined, 'unknown', undefined],
    ['a person put the user into another group', place('Field crew'), ['eng'], 'placed', 'rule-eng'],
    ['a person put the user into the same group', place('Engineers'), [], 'placed', undefined],
    ['SCIM took the group over', { ...byRule('Engineers', 'rule-eng'), provisioned: true }, [], 'placed', undefined],
    ['SCIM provisions the default group', { ...MEMBERS, provisioned: true }, ['eng'], 'placed', 'rule-eng'],
    ['a wider role', place('Admins', { role: 'Admin' }), ['eng'], 'role', 'rule-eng'],
    ['values are compared as they are', MEMBERS, ['ENG', ' eng'], 'kept', undefined],
  ] as const)('%s', (_what, from, values, outcome, id) => {
    const decision = decide(RULES, from, values);
    expect([decision.outcome, decision.rule?.id]).toEqual([outcome, id]);
  });

  it('lead nowhere if SCIM provisions the group, and the next one decides', () => {
    const rules = [rule('ops', 'Operations', true), rule('eng', 'Engineers')];
    expect(decide(rules, MEMBERS, ['ops', 'eng'])).toMatchObject({ outcome: 'moved', rule: { id: 'rule-eng' } });
  });

  it('that are none change nothing, but end what a rule of another provider did', () => {
    expect(decide([], MEMBERS, ['eng']).outcome).toBe('no-rules');
    expect(decide([], place('Field crew'), ['eng']).outcome).toBe('no-rules');
    expect(decide([], byRule('Engineers', 'rule-eng'), ['eng'])).toMatchObject({ outcome: 'moved', rule: undefined });
  });
});
