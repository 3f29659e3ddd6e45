import { DeviceSort } from '@warren/proto/devices/v1/devices';
import { prepared } from '@warren/platform/database/prepared';
import type { FilterSql } from '../filters/filter.sql.ts';
import { DEVICE_COLUMNS } from './device.row.ts';

/** What to list: an account or all, and what to look for. */
export interface DeviceFilter {
  accountId: string | undefined;
  /** LIKE pattern over lower-cased text. */
  pattern: string | undefined;
  /** The condition of a filter, whose parameters are `$1` to `$n`. */
  condition?: FilterSql & { values: readonly unknown[] };
}

/** A page of what a filter finds. */
export interface DevicePage extends DeviceFilter {
  sort: DeviceSort;
  /** The key of the label to sort by, for `DeviceSort.LABEL`. */
  label?: string;
  descending: boolean;
  limit: number;
  /** Rows before the page. */
  offset: number;
}

interface Key {
  /** Over `devices d`, and `device_facts f` if `ofFacts`. */
  sql: string;
  /** Larger first when the list is ascending: connected devices stand before the others. */
  falling?: boolean;
  ofFacts?: boolean;
}

/** Settles the order of devices that are alike in what was asked for. */
const LAST: Key[] = [{ sql: 'd.sort_name' }, { sql: 'd.id' }];
const STATUS: Key[] = [{ sql: 'd.connected', falling: true }, ...LAST];
const byText = (column: string): Key[] => [{ sql: `lower(${column} COLLATE "C")` }, ...LAST];
const byUsage = (sql: string): Key[] => [{ sql, ofFacts: true }, ...LAST];

/**
 * All but those of usage are the orders of indexes, the first three with and without the account in front, so a page is found in an
 * index alone.
 */
const KEYS: Record<Exclude<DeviceSort, DeviceSort.LABEL>, Key[]> = {
  [DeviceSort.UNSPECIFIED]: STATUS,
  [DeviceSort.STATUS]: STATUS,
  [DeviceSort.NAME]: LAST,
  [DeviceSort.ACCOUNT]: [{ sql: 'd.sort_account' }, { sql: 'd.account_id' }, ...LAST],
  [DeviceSort.MODEL]: byText('d.model'),
  [DeviceSort.OS]: byText('d.os'),
  [DeviceSort.AGENT_VERSION]: [{ sql: 'natural_key(d.agent_version) COLLATE "C"' }, ...LAST],
  [DeviceSort.LAST_SEEN]: [{ sql: 'd.connected', falling: true }, { sql: 'd.status_since', falling: true }, ...LAST],
  [DeviceSort.CREATED]: [{ sql: 'd.created' }, ...LAST],
  [DeviceSort.ADDRESS]: [{ sql: 'natural_key(d.private_ip) COLLATE "C"' }, ...LAST],
  [DeviceSort.CPU]: byUsage('f.cpu_usage'),
  [DeviceSort.MEMORY]: byUsage('f.used_ram::float8 / NULLIF(d.total_ram, 0)'),
  [DeviceSort.DISK]: byUsage('f.used_disk::float8 / NULLIF(d.total_disk, 0)'),
  [DeviceSort.TEMPERATURE]: byUsage('f.temperature'),
};

/** The FROM and WHERE over `devices d`, and their parameters from $1 on. */
export function whereOf(filter: DeviceFilter, needsFacts = false): { from: string; values: unknown[] } {
  const { accountId, pattern, condition } = filter;
  const values: unknown[] = [...(condition?.values ?? [])];
  const terms: string[] = [];
  if (accountId !== undefined) terms.push(`d.account_id = $${values.push(accountId)}`);
  if (pattern !== undefined) terms.push(`d.search_text LIKE $${values.push(pattern)}`);
  if (condition) terms.push(condition.sql);
  const facts = needsFacts || condition?.usesFacts ? 'LEFT JOIN device_facts f ON f.device_id = d.id' : '';
  return { from: `FROM devices d ${facts} ${terms.length > 0 ? `WHERE ${terms.join(' AND ')}` : ''}`, values };
}

/**
 * One statement, so one state of the database: every row has the `total`, and a page behind the last one is a single row
 * without an `id`. A search or a filter runs once for both. Descending is the exact reverse of ascending.
 */
export function listQuery(page: DevicePage): { sql: string; values: unknown[] } {
  if (page.sort === DeviceSort.LABEL) return labelQuery(page, page.label ?? '');
  const all = KEYS[page.sort] ?? STATUS;
  const keys = page.accountId !== undefined && page.sort === DeviceSort.ACCOUNT ? LAST : all;
  const { from, values } = whereOf(
    page,
    keys.some(({ ofFacts }) => ofFacts),
  );
  const selects = page.pattern !== undefined || page.condition !== undefined;
  const columns = keys.map(({ sql }, index) => `${sql} AS key${index}`);
  const order = keys.map((key, index) => `key${index} ${directionOf(key, page.descending)}`).join(', ');
  const sql = `
    WITH hit AS ${selects ? '' : 'NOT '}MATERIALIZED (
      SELECT ${columns.join(', ')} ${from}
    ), page AS MATERIALIZED (
      SELECT key${keys.length - 1} AS id, row_number() OVER (ORDER BY ${order}) AS place
      FROM (SELECT * FROM hit ORDER BY ${order} LIMIT ${page.limit} OFFSET ${page.offset}) found
    )
    ${showing('FROM hit')}`;
  // Of the first pages there are few; of searches and filters each has another best plan.
  return { sql: page.offset === 0 && !selects ? prepared(sql) : sql, values };
}

/** Shows the devices of `page` with the number of `counted` rows. */
const showing = (counted: string): string => `
    SELECT total.n AS total, shown.*
    FROM (SELECT count(*)::int AS n ${counted}) total
    LEFT JOIN (
      SELECT page.place, ${DEVICE_COLUMNS}
      FROM page JOIN devices d ON d.id = page.id LEFT JOIN device_facts f ON f.device_id = d.id
    ) shown ON true
    ORDER BY shown.place`;

/**
 * Sorts by the value of a label, byte by byte, then by id, which is the order of the index. Devices without the label are last in
 * both directions, by name. Without a search or a filter, a page is a walk through the index of the labels, and through that of
 * names only for what the labelled devices leave of it.
 */
function labelQuery(page: DevicePage, label: string): { sql: string; values: unknown[] } {
  const { accountId, limit, offset } = page;
  const { from, values } = whereOf(page);
  const ofKey = `l.key = $${values.push(label)}`;
  const direction = page.descending ? 'DESC' : 'ASC';
  const order = `value ${direction} NULLS LAST, unlabelled_name ${direction}, id ${direction}`;
  const placed = (found: string): string =>
    `page AS MATERIALIZED (SELECT id, row_number() OVER (ORDER BY ${order}) AS place FROM (${found}) found)`;
  if (page.pattern !== undefined || page.condition !== undefined) {
    const sql = `
    WITH hit AS MATERIALIZED (
      SELECT l.value, CASE WHEN l.value IS NULL THEN h.sort_name END AS unlabelled_name, h.id
      FROM (SELECT d.id, d.sort_name ${from}) h LEFT JOIN device_labels l ON l.device_id = h.id AND ${ofKey}
    ), ${placed(`SELECT * FROM hit ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`)}
    ${showing('FROM hit')}`;
    return { sql, values };
  }
  const ofAccount = accountId === undefined ? '' : 'JOIN devices d ON d.id = l.device_id AND d.account_id = $1';
  const without = `NOT EXISTS (SELECT FROM device_labels l WHERE l.device_id = d.id AND ${ofKey})`;
  const sql = `
    WITH labelled AS NOT MATERIALIZED (
      SELECT l.value, l.device_id AS id FROM device_labels l ${ofAccount} WHERE ${ofKey}
    ), found AS MATERIALIZED (
      SELECT count(*) AS n FROM (SELECT FROM labelled LIMIT ${offset + limit}) counted
    ), ${placed(`
      (SELECT value, NULL::text COLLATE "C" AS unlabelled_name, id FROM labelled
       ORDER BY value ${direction}, id ${direction} LIMIT ${limit} OFFSET ${offset})
      UNION ALL
      (SELECT NULL, d.sort_name, d.id ${from} ${accountId === undefined ? 'WHERE' : 'AND'} ${without}
       ORDER BY d.sort_name ${direction}, d.id ${direction}
       LIMIT (SELECT ${limit} - GREATEST(0, n - ${offset}) FROM found) OFFSET (SELECT GREATEST(0, ${offset} - n) FROM found))`)}
    ${showing(from)}`;
  return { sql, values };
}

/** Unknown values of usage come last where the largest come first. */
function directionOf({ falling = false, ofFacts = false }: Key, descending: boolean): string {
  const direction = falling === descending ? 'ASC' : 'DESC';
  return ofFacts ? `${direction} NULLS ${direction === 'ASC' ? 'FIRST' : 'LAST'}` : direction;
}
