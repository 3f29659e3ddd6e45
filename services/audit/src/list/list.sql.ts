import type { Sql } from '@warren/platform/database/sql';
import { AuditOutcome } from '@warren/proto/audit/v1/audit';

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
const { SUCCESS, REFUSED, FAILED } = AuditOutcome;
const UNSUCCESSFUL = [REFUSED, FAILED];
const LEAST = '00000000-0000-0000-0000-000000000000';
const GREATEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

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
 * Lists a page of events. Actions are a page of each, of which the first are taken: an index has the events of one action in order. The
 * comparison of rows, and the order that begins with the action, keep the planner from reading all events in order for a rare action.
 */
export async function listEvents(sql: Sql, conditions: EventConditions, page: PageOf): Promise<StoredEvent[]> {
  const parameters = new Parameters();
  const way = page.newestFirst ? 'DESC' : 'ASC';
  const limit = parameters.add(page.limit);
  const { actions, text: searched } = conditions;
  const where = [
    ...conditionsOf(conditions, page, parameters),
    ...(searched ? [`searched LIKE ${parameters.add(containing(searched))}`] : []),
  ].join(' AND ');
  const last = `ORDER BY id ${way} LIMIT ${limit}`;
  if (actions.length === 0) return sql.query(`SELECT ${COLUMNS} FROM events WHERE ${where} ${last}`, parameters.values);
  const ofOne = `SELECT ${COLUMNS} FROM events WHERE ${where} AND (action, id) >= (wanted.name, '${LEAST}'::uuid)
    AND (action, id) <= (wanted.name, '${GREATEST}'::uuid) ORDER BY action ${way}, id ${way} LIMIT ${limit}`;
  const wanted = `unnest(${parameters.add(actions)}::text[]) AS wanted (name)`;
  return sql.query(`SELECT found.* FROM ${wanted} CROSS JOIN LATERAL (${ofOne}) AS found ${last}`, parameters.values);
}

/** Writes the conditions as SQL, but those on actions and text. */
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
    ...outcomesOf(outcomes, parameters),
  ];
}

/**
 * Partial indexes cover refused and failed events. `<>` keeps the planner's estimate high; with two selective conditions it expects less
 * than a page, and scans every month.
 */
function outcomesOf(outcomes: readonly number[], parameters: Parameters): string[] {
  if (outcomes.length === 0) return [];
  if (outcomes.includes(SUCCESS)) return [`outcome = ANY(${parameters.add(outcomes)}::smallint[])`];
  const others = UNSUCCESSFUL.filter((outcome) => !outcomes.includes(outcome));
  return [`outcome > ${SUCCESS}`, ...others.map((outcome) => `outcome <> ${outcome}`)];
}

/** Returns the pattern of LIKE for texts that contain another. */
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

/** Returns the least id of a time. */
export function idAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}
