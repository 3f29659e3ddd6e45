import type { MessageInitShape } from '@bufbuild/protobuf';
import type { DeviceQuerySchema } from '@warren/proto/devices/v1/matching';
import { ALERT_KINDS } from '@warren/rules/alerts';
import { namesSaved } from '@warren/rules/filter/expand';
import { parseFilter, parseReferring } from '@warren/rules/filter/parse';
import type { RuleRow } from '../records/rules.sql.ts';

export type Query = MessageInitShape<typeof DeviceQuerySchema>;

/** What a rule looks for, besides where. */
type Sought = Pick<RuleRow, 'account_id' | 'kind' | 'filter' | 'condition' | 'minutes' | 'days' | 'times'>;

/** Rules that ask the same, in whichever account: one query. Names of saved filters ask the same in one account alone. */
export interface Question<R extends Sought = RuleRow> {
  rules: readonly R[];
  /** Without accounts and devices. */
  query: Query;
  /** By their trend disks are full within so many days: fleet itself knows the devices to ask for. */
  fullWithin: number | undefined;
}

/** The query of a rule. @returns undefined for a filter or a kind that this version does not read */
export function queryOf(rule: Omit<Sought, 'account_id'>): Query | undefined {
  const isKind = ALERT_KINDS.includes(rule.kind);
  const readable = isKind && parseReferring(rule.filter).ok && parseFilter(rule.condition).ok;
  return readable ? { filter: rule.filter, condition: conditionOf(rule) } : undefined;
}

/** The account, where the same text means something else in another one. */
function ownOf({ filter, account_id: accountId }: Sought): string {
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
      return { case: undefined };
  }
}

function expression(value: string): { case: 'expression'; value: string } {
  return { case: 'expression', value };
}

/** Joins rules that ask the same. Those that can't be read are left out. */
export function questionsOf<R extends Sought>(rules: readonly R[]): { questions: Question<R>[]; unreadable: R[] } {
  const readable = rules.flatMap((rule) => {
    const query = queryOf(rule);
    return query ? [{ rule, query, fullWithin: rule.kind === 'disk_full' ? rule.days : undefined }] : [];
  });
  const groups = Map.groupBy(readable, ({ rule, query, fullWithin }) =>
    JSON.stringify([query, fullWithin, ownOf(rule)]),
  );
  const questions = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, rules: group.map(({ rule }) => rule) }] : [];
  });
  const read = new Set(readable.map(({ rule }) => rule));
  return {
    questions: questions.map(({ query, fullWithin, rules: own }) => ({ query, fullWithin, rules: own })),
    unreadable: rules.filter((rule) => !read.has(rule)),
  };
}
