import { GROUP_RULE_LIMITS, providerGroup } from '@warren/rules/group-rules';

/** Why the groups of a person are not known; empty if they are. */
export type GroupsProblem = '' | 'overage' | 'too-many' | 'unreadable' | 'unavailable';

/** The groups that a verified answer of a provider states. The worker that verifies SAML reads them, so this imports little. */
export interface StatedGroups {
  /** Each once, trimmed. */
  values: string[];
  problem: GroupsProblem;
  /** Name of the attribute or claim that came; empty if none did, which is how providers state no groups. */
  source: string;
}

const MAX_SHOWN = 20;

/** A provider that sent a reference in place of the groups, as Entra ID does above 200 of them (150 in SAML). */
export const overage = (source: string): StatedGroups => ({
  values: [],
  problem: 'overage',
  source,
});

/** A provider whose UserInfo was to state the groups, and failed. */
export const unavailable = (source: string): StatedGroups => ({ values: [], problem: 'unavailable', source });

/** No attribute or claim with groups. */
export const NO_GROUPS: StatedGroups = { values: [], problem: '', source: '' };

/**
 * Reads the groups from the value of an attribute or claim: a text, or an array of texts. Groups with names that no rule can have are
 * left out.
 * @param source name of the attribute or claim
 */
export function readGroups(source: string, value: unknown): StatedGroups {
  const list = (Array.isArray(value) ? (value as unknown[]) : [value]).filter(
    (one) => one !== undefined && one !== null,
  );
  if (!list.every((one) => typeof one === 'string')) return { values: [], problem: 'unreadable', source };
  const characters = list.reduce((sum, { length }) => sum + length, 0);
  if (list.length > GROUP_RULE_LIMITS.received || characters > GROUP_RULE_LIMITS.characters)
    return { values: [], problem: 'too-many', source };
  const values = list.flatMap((one) => providerGroup.safeParse(one).data ?? []);
  return { values: [...new Set(values)], problem: '', source };
}

const PROBLEMS: Readonly<Record<Exclude<GroupsProblem, ''>, string>> = {
  overage:
    'not known: the provider sent a reference in place of the groups, since there are too many. Have it send only the groups of this application',
  'too-many': `not known: more than ${GROUP_RULE_LIMITS.received.toLocaleString('en')} came. Have the provider send only the groups of this application`,
  unreadable: 'not known: expected texts',
  unavailable: 'not known: the ID token states none, and UserInfo could not be read',
};

/** Names the groups that came, at most 20, for administrators. */
export function shownGroups({ values, problem, source }: StatedGroups): string {
  if (problem !== '') return `${PROBLEMS[problem]} (${source})`;
  if (values.length === 0) return source === '' ? 'none came' : `none in ${source}`;
  return `${listed(values)} (${source})`;
}

/** Joins names, at most 20 of them, and the number of the others. */
export function listed(names: readonly string[]): string {
  const more = names.length > MAX_SHOWN ? `, and ${names.length - MAX_SHOWN} more` : '';
  return `${names.slice(0, MAX_SHOWN).join(', ')}${more}`;
}
