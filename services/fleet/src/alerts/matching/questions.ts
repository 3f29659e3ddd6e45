import type { MessageInitShape } from '@bufbuild/protobuf';
import type { DeviceQuerySchema } from '@warren/proto/devices/v1/matching';
import { ALERT_KINDS } from '@warren/rules/alerts';
import { parseExpression } from '@warren/rules/expressions';
import { namesSaved } from '@warren/rules/filter/expand';
import { parseFilter, parseReferring } from '@warren/rules/filter/parse';
import type { AlertRuleEntity } from '../records/rule.entity.ts';

export type Query = MessageInitShape<typeof DeviceQuerySchema>;

/** What a rule looks for, besides where. */
type Sought = Pick<AlertRuleEntity, 'accountId' | 'kind' | 'filter' | 'condition' | 'minutes' | 'days' | 'times'> & {
  id?: string;
};

/** Rules that ask the same, in whichever account: one query. Names of saved filters ask the same in one account alone. */
export interface Question<R extends Sought = AlertRuleEntity> {
  rules: readonly R[];
  /** Without accounts and devices. */
  query: Query;
  /** How fleet itself knows the devices to ask for; undefined if it does not. */
  known: Known | undefined;
}

/** The trend fills disks within so many days, or the expression of a rule held. */
export type Known = { fullWithin: number } | { holdsFor: string };

/** The query of a rule. @returns undefined for a filter or a kind that this version does not read */
export function queryOf(rule: Omit<Sought, 'accountId'>): Query | undefined {
  const isKind = ALERT_KINDS.includes(rule.kind);
  const parse = rule.kind === 'metric' ? parseExpression : parseFilter;
  const readable = isKind && parseReferring(rule.filter).ok && parse(rule.condition).ok;
  return readable ? { filter: rule.filter, condition: conditionOf(rule) } : undefined;
}

/** The account, where the same text means something else in another one. */
function ownOf({ filter, accountId }: Sought): string {
  return namesSaved(filter) ? accountId : '';
}

function conditionOf({
  kind,
  condition,
  minutes,
  times,
}: Pick<Sought, 'kind' | 'condition' | 'minutes' | 'times'>): NonNullable<Query['condition']> {
  switch (kind) {
    case 'offline':
      return expression(`status=disconnected last_seen>${minutes}m last_seen!=never`);
    case 'never_connected':
      return expression(`last_seen=never created>${minutes}m`);
    case 'condition':
      return expression(condition);
    case 'flapping':
      return { case: 'linkBreaks', value: { times, minutes } };
    case 'update_failed':
      return { case: 'failedUpdate', value: {} };
    case 'job_failed':
      return { case: 'failedJob', value: {} };
    case 'disk_full':
    case 'metric':
      return { case: undefined };
  }
}

function knownOf({ kind, days, id = '' }: Sought): Known | undefined {
  if (kind === 'metric') return { holdsFor: id };
  return kind === 'disk_full' ? { fullWithin: days } : undefined;
}

function expression(value: string): { case: 'expression'; value: string } {
  return { case: 'expression', value };
}

/** Joins rules that ask the same. Those that can't be read are left out. */
export function questionsOf<R extends Sought>(rules: readonly R[]): { questions: Question<R>[]; unreadable: R[] } {
  const readable = rules.flatMap((rule) => {
    const query = queryOf(rule);
    return query ? [{ rule, query, known: knownOf(rule) }] : [];
  });
  const groups = Map.groupBy(readable, ({ rule, query, known }) => JSON.stringify([query, known, ownOf(rule)]));
  const questions = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, rules: group.map(({ rule }) => rule) }] : [];
  });
  const read = new Set(readable.map(({ rule }) => rule));
  return {
    questions: questions.map(({ query, known, rules: own }) => ({ query, known, rules: own })),
    unreadable: rules.filter((rule) => !read.has(rule)),
  };
}
