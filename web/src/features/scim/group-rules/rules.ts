import type { GroupRule, GroupRuleList, SetGroupRules } from '../../../lib/api/types.ts';

/** The rules as they are to be from now on, if they are still those of `list`. */
export function settingOf(
  { version }: Pick<GroupRuleList, 'version'>,
  wanted: readonly Pick<GroupRule, 'provider' | 'value' | 'group'>[],
): SetGroupRules {
  return { version, rules: wanted.map(({ provider, value, group }) => ({ provider, value, group: group.id })) };
}

/** The rules after one has changed places with the one before or behind it. */
export function swapped(rules: readonly GroupRule[], rule: GroupRule, by: -1 | 1): GroupRule[] {
  const at = rules.findIndex(({ id }) => id === rule.id);
  const others = rules.filter(({ id }) => id !== rule.id);
  return [...others.slice(0, at + by), rule, ...others.slice(at + by)];
}
