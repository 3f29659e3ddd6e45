import { providerGroup, GROUP_RULE_LIMITS } from '@warren/rules/group-rules';
import { providerId } from '@warren/rules/providers';
import { v7 as uuidv7 } from 'uuid';
import { check, invalid } from '../contract/check.ts';
import type { CountedRuleRow, GroupRuleRow, TargetRow } from './group.rules.sql.ts';

/** A rule as somebody wants it. */
export interface WantedRule {
  provider: string;
  value: string;
  groupId: string;
}

/** What another list of rules changes. */
export interface RuleChange {
  /** All rules from now on, in their order. */
  rules: GroupRuleRow[];
  added: GroupRuleRow[];
  removed: CountedRuleRow[];
  /** Whether rules that stay have another order. */
  isReordered: boolean;
}

/** Domains of all identity providers of a hub. */
const MOST_DOMAINS = 10_000;

/** @throws Fault `invalid_argument` that names the rule and the field */
export function checkedRules(rules: readonly WantedRule[]): WantedRule[] {
  if (rules.length > GROUP_RULE_LIMITS.perAccount)
    throw invalid('rules', `expected at most ${GROUP_RULE_LIMITS.perAccount} rules.`);
  const seen = new Map<string, number>();
  return rules.map((rule, at) => {
    const provider = check(`rules.${at}.provider`, providerId, rule.provider);
    const value = check(`rules.${at}.value`, providerGroup, rule.value);
    const key = keyOf({ provider, value });
    const first = seen.get(key);
    if (first !== undefined)
      throw invalid(`rules.${at}.value`, `rule ${first + 1} is for the same group of the provider.`, value);
    seen.set(key, at);
    return { provider, value, groupId: rule.groupId.toLowerCase() };
  });
}

/** @throws Fault `invalid_argument` for too many domains */
export function requireDomains(domains: readonly string[]): void {
  if (domains.length > MOST_DOMAINS) throw invalid('domains', `expected at most ${MOST_DOMAINS} domains.`);
}

/**
 * Compares rules. One that leads to another group than before counts as another rule.
 * @param targets all groups of the account
 * @throws Fault `invalid_argument` for a new rule whose group is not one that rules may lead to
 */
export function changeOf(
  current: readonly CountedRuleRow[],
  wanted: readonly WantedRule[],
  targets: readonly TargetRow[],
): RuleChange {
  const known = new Map(current.map((rule) => [keyOf(rule), rule]));
  const groups = new Map(targets.map((group) => [group.id, group]));
  const added: GroupRuleRow[] = [];
  const rules = wanted.map(({ provider, value, groupId }, at): GroupRuleRow => {
    const same = known.get(keyOf({ provider, value }));
    if (same?.group_id === groupId) return same;
    const { id, name } = requireTarget(groups.get(groupId), `rules.${at}.group`, groupId);
    const made = { id: uuidv7(), provider, value, group_id: id, group_name: name, provisioned: false };
    added.push(made);
    return made;
  });
  const kept = new Set(rules.map(({ id }) => id));
  const former = current.filter(({ id }) => kept.has(id)).map(({ id }) => id);
  const stays = new Set(former);
  const now = rules.filter(({ id }) => stays.has(id)).map(({ id }) => id);
  return {
    rules,
    added,
    removed: current.filter(({ id }) => !kept.has(id)),
    isReordered: former.join() !== now.join(),
  };
}

function requireTarget(group: TargetRow | undefined, field: string, id: string): TargetRow {
  if (!group) throw invalid(field, 'expected the id of a group of this account.', id);
  if (group.role !== 'Member')
    throw invalid(field, `${group.name} has the role ${group.role}; rules lead to groups with the role Member.`, id);
  if (group.home) throw invalid(field, `${group.name} is where users are without a rule; expected another group.`, id);
  if (group.provisioned)
    throw invalid(field, `SCIM provisions ${group.name}, and decides who is in it; expected another group.`, id);
  return group;
}

const keyOf = ({ provider, value }: Pick<WantedRule, 'provider' | 'value'>) => JSON.stringify([provider, value]);
