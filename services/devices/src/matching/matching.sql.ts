import type { Sql } from '@warren/platform/database/sql';
import { ActivityKind } from '@warren/proto/devices/v1/devices';
import type { DeviceQuery } from '@warren/proto/devices/v1/matching';
import type { FieldName } from '@warren/rules/filter/fields';
import type { Filter } from '@warren/rules/filter/filter';
import type { DecidableFilter } from '../filters/decidable.filter.ts';
import { compileFilter, requireFilter, type FilterUse } from '../filters/device.filter.ts';
import { failedJobs } from '../filters/failed.jobs.sql.ts';
import { FAILED_UPDATES } from '../filters/failed.updates.sql.ts';
import { FULLEST_DISK } from '../facts/compared.columns.ts';
import { OF_NARROW } from '../filters/columns.ts';
import { NARROW } from '../filters/filter.sql.ts';

/** A device that a query finds. */
export interface MatchRow {
  device_id: string;
  account_id: string;
  name: string;
  current: boolean;
  since: Date;
  value: number | null;
  detail: string;
}

/** The parts of the statement that finds devices: what is read of each, from where, and which. */
interface Statement {
  current: string;
  value: string;
  detail: string;
  from: string;
  where: string[];
  values: unknown[];
}

const DETAIL_LENGTH = 200;

/** A query whose saved filters are expanded. */
export type DecidedQuery = Omit<DeviceQuery, 'filter'> & { filter: DecidableFilter };

/** Finds devices by id, after one of them; in all accounts of the query at once. */
export async function findMatches(
  sql: Sql,
  query: DecidedQuery,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<MatchRow[]> {
  const { current, value, detail, from, where, values } = await statementOf(sql, query);
  if (after !== undefined) where.push(`d.id > $${values.push(after)}`);
  // Materialized, so that the order is not that of an index: few devices match as a rule, and it would be read to its end.
  return sql.query<MatchRow[]>(
    `WITH hit AS MATERIALIZED (SELECT d.id AS device_id, d.account_id, CASE WHEN d.custom_name = '' THEN d.name ELSE d.custom_name END AS name,
       ${current} AS current, d.status_since AS since, (${value})::float8 AS value, left(${detail}, ${DETAIL_LENGTH}) AS detail
     FROM ${from} WHERE ${where.join(' AND ')})
     SELECT * FROM hit ORDER BY device_id LIMIT ${limit}`,
    values,
  );
}

/** Counts the devices of a query. */
export async function countMatches(sql: Sql, query: DecidedQuery): Promise<number> {
  const { from, where, values } = await statementOf(sql, query);
  const [row] = await sql.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM ${from} WHERE ${where.join(' AND ')}`,
    values,
  );
  return row?.n ?? 0;
}

/** @throws Fault `invalid_argument` for a filter */
async function statementOf(sql: Sql, query: DecidedQuery): Promise<Statement> {
  const values: unknown[] = [query.accountIds];
  const where = ['d.account_id = ANY($1::uuid[])'];
  if (query.deviceIds.length > 0) where.push(`d.id = ANY($${values.push(query.deviceIds)}::uuid[])`);
  const use = { accountIds: query.accountIds, values };
  const filter = await compileFilter(sql, query.filter, use);
  where.push(filter.sql);
  const { joins, ...read } = await conditionOf(sql, query.condition, where, use);
  return { ...read, from: `devices d ${NARROW} ${joins}`, where, values };
}

type Condition = Pick<Statement, 'current' | 'value' | 'detail'> & { joins: string };

const ALWAYS: Condition = { current: 'true', value: 'NULL', detail: `''`, joins: '' };

/** Appends to `where` and its values what the condition of a query adds. */
async function conditionOf(
  sql: Sql,
  condition: DeviceQuery['condition'],
  where: string[],
  use: FilterUse,
): Promise<Condition> {
  const { values } = use;
  switch (condition.case) {
    case 'expression': {
      const filter = requireFilter(condition.value, 'condition');
      const compiled = await compileFilter(sql, filter, use);
      where.push(compiled.sql);
      const { number, ...detail } = detailOf(numberIn(filter));
      return { ...ALWAYS, ...detail, current: compiled.usesFacts ? 'd.connected' : 'true', value: number };
    }
    case 'linkBreaks': {
      const { times, minutes } = condition.value;
      const from = `now() - make_interval(mins => $${values.push(minutes)}::int)`;
      // By account and time, as the index of the history is.
      const joins = `JOIN (
        SELECT h.account_id, h.device_id, count(*) AS breaks FROM device_history h
        WHERE h.account_id = ANY($1::uuid[]) AND h.at > ${from} AND h.kind = ${ActivityKind.DISCONNECTED}
        GROUP BY 1, 2 HAVING count(*) >= $${values.push(times)}::int
      ) b ON b.device_id = d.id AND b.account_id = d.account_id`;
      return { ...ALWAYS, joins, value: 'b.breaks' };
    }
    case 'failedUpdate':
      return {
        ...ALWAYS,
        joins: FAILED,
        detail: `u.version || ' failed' || CASE WHEN u.why = '' THEN '' ELSE ': ' || u.why END`,
      };
    case 'failedJob':
      return { ...ALWAYS, joins: JOB, detail: `replace(j.action, '_', ' ') || ': ' || j.reason` };
    case undefined:
      return ALWAYS;
  }
}

/** Begins with the failures, of which there are few. */
const FAILED = `JOIN (${FAILED_UPDATES}) u ON u.device_id = d.id`;
/** A device that was moved since leaves the failure behind. */
const JOB = `JOIN (${failedJobs('$1::uuid[]')}) j ON j.device_id = d.id AND j.account_id = d.account_id`;

/** The number that a condition compares, with what belongs to it in words: which disk it is of, which way the clock is wrong. */
function detailOf(field: FieldName | undefined): Pick<Condition, 'detail' | 'joins'> & { number: string } {
  const { detail, joins, value } = ALWAYS;
  const number = (field && OF_NARROW.numbers[field]) ?? value;
  switch (field) {
    case 'disk':
      return { number, detail: `'on ' || ${FULLEST_DISK}`, joins: 'LEFT JOIN device_facts f ON f.device_id = d.id' };
    case 'clock':
      return { number, detail: `CASE WHEN n.clock_offset > 0 THEN 'ahead' ELSE 'behind' END`, joins };
    default:
      return { number, detail, joins };
  }
}

/** The first number that a filter compares. */
function numberIn(filter: Filter): FieldName | undefined {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.map(numberIn).find((field) => field !== undefined);
    case 'field':
      return OF_NARROW.numbers[filter.field] === undefined ? undefined : filter.field;
    default:
      return undefined;
  }
}

/** An account that devices may be in. */
export interface AccountRow {
  id: string;
  name: string;
  has_devices: boolean;
}

/** Lists accounts by id, after one of them. */
export function listAccounts(sql: Sql, { after, limit }: { after: string; limit: number }): Promise<AccountRow[]> {
  return sql.query(
    `SELECT a.id, a.name, EXISTS (SELECT FROM devices d WHERE d.account_id = a.id) AS has_devices
     FROM accounts a WHERE NOT a.deleted AND a.id > $1 ORDER BY a.id LIMIT ${limit}`,
    [after],
  );
}
