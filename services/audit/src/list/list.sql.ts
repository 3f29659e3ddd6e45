import type { Sql } from '@warren/platform/database/sql';

/** Conditions on events: each that is given holds. */
export interface EventConditions {
  /** Undefined: every account. */
  accountId: string | undefined;
  /** Bounds of ids, and thus of times: from `from` on, before `to`. */
  from: string | undefined;
  to: string | undefined;
  actorId: string;
  actorEmail: string;
  actions: readonly string[];
  targetId: string;
  outcomes: readonly number[];
  requestId: string;
  /** In lower case. */
  text: string;
}

/** A page of a list: events after `cursor` in that order. */
export interface PageOf {
  cursor: string | undefined;
  newestFirst: boolean;
  limit: number;
}

/** An event as it is stored. */
export interface StoredEvent {
  id: string;
  time: Date;
  accountId: string;
  sequence: string;
  event: string;
}

export const COLUMNS = 'id, time, account_id AS "accountId", sequence::text AS sequence, event::text AS event';
const ALL_SUCCESS = 1;

/** Collects parameters of a statement. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value. @returns its placeholder */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/**
 * Lists a page of events. Several actions are a page of each, of which the first are taken: an index has the events of one action in
 * order, but not those of several.
 */
export async function listEvents(sql: Sql, conditions: EventConditions, page: PageOf): Promise<StoredEvent[]> {
  const parameters = new Parameters();
  const order = page.newestFirst ? 'id DESC' : 'id';
  const limit = parameters.add(page.limit);
  const { actions, text: searched } = conditions;
  const where = [
    ...conditionsOf(conditions, page, parameters),
    ...(searched ? [`searched LIKE ${parameters.add(containing(searched))}`] : []),
  ].join(' AND ');
  const one = (action: string) =>
    `SELECT ${COLUMNS} FROM events WHERE ${where}${action} ORDER BY ${order} LIMIT ${limit}`;
  const text =
    actions.length <= 1
      ? one(actions.length === 1 ? ` AND action = ${parameters.add(actions[0])}` : '')
      : `SELECT found.* FROM unnest(${parameters.add(actions)}::text[]) AS wanted (name) CROSS JOIN LATERAL (${one(' AND action = wanted.name')}) AS found ORDER BY ${order} LIMIT ${limit}`;
  return sql.query(text, parameters.values);
}

/** SQL of the conditions but those on actions and text. */
export function conditionsOf(
  conditions: EventConditions,
  { cursor, newestFirst }: Pick<PageOf, 'cursor' | 'newestFirst'>,
  parameters: Parameters,
): string[] {
  const { accountId, from, to, actorId, actorEmail, targetId, outcomes, requestId } = conditions;
  const equals = (column: string, value: string | undefined) =>
    value ? [`${column} = ${parameters.add(value)}`, ...(column === 'account_id' ? [] : [`${column} <> ''`])] : [];
  return [
    'true',
    ...equals('account_id', accountId),
    ...(from ? [`id >= ${parameters.add(from)}::uuid`] : []),
    ...(to ? [`id < ${parameters.add(to)}::uuid`] : []),
    ...(cursor ? [`id ${newestFirst ? '<' : '>'} ${parameters.add(cursor)}::uuid`] : []),
    ...equals('actor_id', actorId),
    ...equals('actor_email', actorEmail),
    ...equals('target_id', targetId),
    ...equals('request_id', requestId),
    // Partial indexes have the refused and failed ones.
    ...(outcomes.length > 0 && !outcomes.includes(ALL_SUCCESS) ? [`outcome > ${ALL_SUCCESS}`] : []),
    ...(outcomes.length > 0 ? [`outcome = ANY(${parameters.add(outcomes)}::smallint[])`] : []),
  ];
}

/** The pattern of LIKE for texts that contain another. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Reads one event. @param accountId undefined: of any account */
export async function readStored(
  sql: Sql,
  id: string,
  accountId: string | undefined,
): Promise<StoredEvent | undefined> {
  const [row] = await sql.query<StoredEvent[]>(
    `SELECT ${COLUMNS} FROM events WHERE id = $1 AND ($2::uuid IS NULL OR account_id = $2)`,
    [id, accountId ?? null],
  );
  return row;
}

/** The least id of a time. */
export function idAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}
