import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { GroupMappingOutcome, GroupMappingSchema } from '@warren/proto/tenancy/v1/tenancy';
import { GROUP_RULE_LIMITS } from '@warren/rules/group-rules';
import { mappingText, matchedText } from './group.mapping.ts';
import { NO_GROUPS, overage, readGroups, shownGroups, unavailable } from './provider.groups.ts';

const MANY = Array.from({ length: GROUP_RULE_LIMITS.received }, (_, at) => `g${at}`);

describe('groups of a provider', () => {
  it.each([
    ['a text', 'eng', ['eng']],
    ['an array, each once and trimmed', [' eng', 'ops', 'eng'], ['eng', 'ops']],
    ['an empty array', [], []],
    ['empty values of SAML', [undefined, '', ' ', 'eng', null], ['eng']],
    ['a value longer than any rule', ['x'.repeat(257), 'eng'], ['eng']],
    ['control characters', ['a\u0000', 'eng'], ['eng']],
    ['names that are special elsewhere', ['__proto__', 'constructor'], ['__proto__', 'constructor']],
    ['as many as may be', MANY, MANY],
  ])('are read from %s', (_what, value, values) =>
    expect(readGroups('groups', value)).toEqual({ values, problem: '', source: 'groups' }),
  );

  it.each([
    ['an object', { eng: true }, 'unreadable'],
    ['a number', 7, 'unreadable'],
    ['an array with an object in it', ['eng', { id: 'ops' }], 'unreadable'],
    ['more than 1,000', [...MANY, 'g'], 'too-many'],
    ['too many characters', Array.from({ length: 900 }, () => 'x'.repeat(250)), 'too-many'],
  ])('are not known from %s', (_what, value, problem) =>
    expect(readGroups('groups', value)).toEqual({ values: [], problem, source: 'groups' }),
  );

  it('are shown with the name of their claim, 20 at most', () => {
    expect(shownGroups(NO_GROUPS)).toBe('none came');
    expect(shownGroups(readGroups('groups', []))).toBe('none in groups');
    expect(shownGroups(readGroups('groups', ['eng', 'ops']))).toBe('eng, ops (groups)');
    expect(shownGroups(overage('_claim_names'))).toMatch(
      /^not known: the provider sent a reference .* \(_claim_names\)$/,
    );
    expect(shownGroups(unavailable('groups'))).toMatch(/^not known: .* UserInfo could not be read \(groups\)$/);
    expect(shownGroups(readGroups('g', 7))).toBe('not known: expected texts (g)');
    expect(shownGroups(readGroups('groups', MANY))).toMatch(/^g0, .*g19, and 980 more \(groups\)$/);
  });
});

describe('what rules would do', () => {
  const { NO_RULES, KEPT, MOVED, UNKNOWN, PLACED, ROLE } = GroupMappingOutcome;
  const of = (outcome: GroupMappingOutcome, ...values: string[]) =>
    create(GroupMappingSchema, {
      outcome,
      matched: values.map((value) => ({ value, groupName: 'Engineers' })),
      groupBefore: 'Members',
      groupAfter: 'Engineers',
    });

  it.each([
    [of(NO_RULES), 'Members: the account has no rules for this provider'],
    [of(KEPT), 'Members: no rule matches'],
    [of(KEPT, 'eng'), 'Members, as the rules say'],
    [of(MOVED, 'eng'), 'Engineers in place of Members: the first rule that matches decides'],
    [of(MOVED), 'Engineers in place of Members: no rule matches any more'],
    [of(UNKNOWN), 'Members, as it is: the groups are not known'],
    [of(PLACED), 'Members: rules move nobody out of a group that a person or SCIM chose'],
    [of(ROLE), 'Members: rules move only users with the role Member'],
  ])('is said in words', (mapping, text) => expect(mappingText(mapping)).toBe(text));

  it('names the rules that match, 20 at most', () => {
    expect(matchedText(of(MOVED, 'eng', 'dev'))).toBe('eng → Engineers, dev → Engineers');
    expect(matchedText(of(MOVED, ...MANY.slice(0, 200)))).toMatch(/^g0 → Engineers, .*g19 → Engineers, and 180 more$/);
  });
});
