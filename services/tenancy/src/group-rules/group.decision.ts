import type { GroupRuleRow, PlaceRow } from './group.rules.sql.ts';

type Rule = Pick<GroupRuleRow, 'id' | 'value' | 'group_id' | 'group_name' | 'provisioned'>;

/** What rules say about a user. */
export interface Decision {
  outcome: 'no-rules' | 'kept' | 'moved' | 'unknown' | 'placed' | 'role';
  /** The rules that a group of the person matches, in their order. */
  matched: Rule[];
  /** The rule that decides; the user leaves the group of a former one if there is none. */
  rule: Rule | undefined;
}

/**
 * Decides to which group rules move a user. A user is in exactly one group, so the first rule that matches decides. Rules move only users
 * with the role Member, and only out of a group where a rule has put them or out of the default group, unless SCIM provisions that group.
 * Moving a user to the default group therefore hands the user to the rules; users in any other group stay there.
 * @param rules of the account for the provider, in their order
 * @param values the groups that the provider stated; undefined if they are not known
 */
export function decide(rules: readonly Rule[], place: PlaceRow, values: readonly string[] | undefined): Decision {
  const stated = new Set(values);
  const matched = rules.filter(({ value, provisioned }) => !provisioned && stated.has(value));
  const [rule] = matched;
  const as = (outcome: Decision['outcome']): Decision => ({ outcome, matched, rule });
  const isManaged = place.rule_id !== null && !place.provisioned;
  if (rules.length === 0 && !isManaged) return as('no-rules');
  if (values === undefined) return as('unknown');
  if (place.role !== 'Member') return as('role');
  if (!isManaged && (!place.home || place.provisioned)) return as('placed');
  if (rule === undefined) return as(place.home ? 'kept' : 'moved');
  return as(rule.group_id === place.group_id ? 'kept' : 'moved');
}
