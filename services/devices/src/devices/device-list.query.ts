import { DeviceSort } from '@warren/proto/devices/v1/devices';
import { prepared } from '@warren/platform/database/prepared';
import { DEVICE_COLUMNS } from './device.row.ts';

/** What to list: an account or all, and what to look for. */
export interface DeviceFilter {
  accountId: string | undefined;
  /** LIKE pattern over lower-cased text. */
  pattern: string | undefined;
}

/** A page of what a filter finds. */
export interface DevicePage extends DeviceFilter {
  sort: DeviceSort;
  descending: boolean;
  limit: number;
  /** Rows before the page. */
  offset: number;
}

interface Key {
  column: string;
  /** Larger first when the list is ascending: connected devices stand before the others. */
  falling?: boolean;
}

/** Settles the order of devices that are alike in what was asked for. */
const LAST: Key[] = [{ column: 'sort_name' }, { column: 'id' }];
const STATUS: Key[] = [{ column: 'connected', falling: true }, ...LAST];

/** Each is the order of an index, with and without the account in front, so a page is found in an index alone. */
const KEYS: Record<DeviceSort, Key[]> = {
  [DeviceSort.UNSPECIFIED]: STATUS,
  [DeviceSort.STATUS]: STATUS,
  [DeviceSort.NAME]: LAST,
  [DeviceSort.ACCOUNT]: [{ column: 'sort_account' }, { column: 'account_id' }, ...LAST],
};

/** The WHERE over `devices`, and its parameters from $1 on. */
export function whereOf({ accountId, pattern }: DeviceFilter): { where: string; values: string[] } {
  const terms: string[] = [];
  const values: string[] = [];
  if (accountId !== undefined) terms.push(`account_id = $${values.push(accountId)}`);
  if (pattern !== undefined) terms.push(`search_text LIKE $${values.push(pattern)}`);
  return { where: terms.length > 0 ? `WHERE ${terms.join(' AND ')}` : '', values };
}

/**
 * One statement, so one state of the database: every row has the `total`, and a page behind the last one is a single row
 * without an `id`. A search runs once for both. Descending is the exact reverse of ascending.
 */
export function listQuery(page: DevicePage): { sql: string; values: string[] } {
  const { where, values } = whereOf(page);
  const all = KEYS[page.sort] ?? STATUS;
  const keys = page.accountId !== undefined && page.sort === DeviceSort.ACCOUNT ? LAST : all;
  const order = keys
    .map(({ column, falling = false }) => `${column} ${falling === page.descending ? 'ASC' : 'DESC'}`)
    .join(', ');
  const sql = `
    WITH hit AS ${page.pattern === undefined ? 'NOT ' : ''}MATERIALIZED (
      SELECT ${keys.map(({ column }) => column).join(', ')} FROM devices ${where}
    ), page AS MATERIALIZED (
      SELECT id, row_number() OVER (ORDER BY ${order}) AS place
      FROM (SELECT * FROM hit ORDER BY ${order} LIMIT ${page.limit} OFFSET ${page.offset}) found
    )
    SELECT total.n AS total, shown.*
    FROM (SELECT count(*)::int AS n FROM hit) total
    LEFT JOIN (
      SELECT page.place, ${DEVICE_COLUMNS}
      FROM page JOIN devices d ON d.id = page.id LEFT JOIN device_facts f ON f.device_id = d.id
    ) shown ON true
    ORDER BY shown.place`;
  // Of the first pages there are few; of searches each has another best plan.
  return { sql: page.offset === 0 && page.pattern === undefined ? prepared(sql) : sql, values };
}
