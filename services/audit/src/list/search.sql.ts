import type { Sql } from '@warren/platform/database/sql';
import { COLUMNS, conditionsOf, containing, Parameters, type EventConditions, type StoredEvent } from './list.sql.ts';

/** Events of one account or of all, between two ids. */
export type Scope = Pick<EventConditions, 'accountId' | 'from' | 'to'>;

/** `order` reads each event between two ids; `index` looks a text up in the index of trigrams first. */
export type Way = 'order' | 'index';

const NOTHING = { actorId: '', actorEmail: '', actions: [], targetId: '', outcomes: [], requestId: '', text: '' };
const NEWEST = { cursor: undefined, newestFirst: true };

/** Counts the events that the chain of an account has. */
export async function keptEvents(sql: Sql, accountId: string): Promise<number> {
  const [row] = await sql.query<{ n: string }[]>(
    'SELECT (sequence - removed)::text AS n FROM chains WHERE account_id = $1',
    [accountId],
  );
  return Number(row?.n ?? 0);
}

/** Finds the id of the event that is `place` events older than the newest one; undefined if there are fewer. */
export async function idAtPlace(sql: Sql, { accountId, from, to }: Scope, place: number): Promise<string | undefined> {
  const parameters = new Parameters();
  const where = conditionsOf({ ...NOTHING, accountId, from, to }, NEWEST, parameters);
  const [row] = await sql.query<{ id: string }[]>(
    `SELECT id FROM events WHERE ${where.join(' AND ')} ORDER BY id DESC OFFSET ${parameters.add(place)} LIMIT 1`,
    parameters.values,
  );
  return row?.id;
}

/**
 * Finds the newest events with a text. Neither way depends on how frequent the planner believes the text to be: with a limit it would
 * otherwise read a whole month in order for a text that it takes for a frequent one.
 */
export async function findText(
  sql: Sql,
  conditions: EventConditions,
  { way, limit }: { way: Way; limit: number },
): Promise<StoredEvent[]> {
  const parameters = new Parameters();
  const { actions, text } = conditions;
  const pattern = parameters.add(containing(text));
  const where = [
    ...conditionsOf(conditions, NEWEST, parameters),
    ...(actions.length > 0 ? [`action = ANY(${parameters.add(actions)}::text[])`] : []),
    // No index has the expression.
    way === 'order' ? `searched || '' LIKE ${pattern}` : `searched LIKE ${pattern}`,
  ].join(' AND ');
  const last = `ORDER BY id DESC LIMIT ${parameters.add(limit)}`;
  if (way === 'order') return sql.query(`SELECT ${COLUMNS} FROM events WHERE ${where} ${last}`, parameters.values);
  const { from, to } = conditions;
  const within = conditionsOf({ ...NOTHING, accountId: undefined, from, to }, NEWEST, parameters).join(' AND ');
  // OFFSET 0 keeps order and limit from the choice of the index.
  const found = `SELECT id FROM (SELECT id FROM events WHERE ${where} OFFSET 0) AS found ${last}`;
  return sql.query(
    `SELECT ${COLUMNS} FROM events WHERE ${within} AND id = ANY(ARRAY(${found})) ORDER BY id DESC`,
    parameters.values,
  );
}
