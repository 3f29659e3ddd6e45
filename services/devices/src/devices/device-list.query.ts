import { DeviceSort } from '@warren/proto/devices/v1/devices';
import { prepared } from '@warren/platform/database/prepared';
import { labelQuery } from './device-list.labels.ts';
import { isIndexed, keysOf, orderOf, type Key } from './device-list.order.ts';
import { fromNearerEnd, selecting, showing } from './device-list.page.ts';
import { ListSource, triesFirst, type DevicePage } from './device-list.source.ts';

/**
 * One statement, so one state of the database: every row has the `total`, and a page behind the last one is a single row
 * without an `id`. Descending is the exact reverse of ascending.
 */
export function listQuery(page: DevicePage): { sql: string; values: unknown[] } {
  const source = new ListSource(page);
  const { values } = source;
  if (page.sort === DeviceSort.LABEL) return { sql: labelQuery(page, source), values: source.values };
  const keys = keysOf(page.sort, page.accountId);
  if (page.pattern !== undefined || page.condition) return { sql: selectingQuery(page, keys, source), values };
  const sql = wholeQuery(page, keys, source);
  // Of the first pages there are few; of searches and filters each has another best plan.
  return { sql: page.offset === 0 ? prepared(sql) : sql, values };
}

/** Over the tables of {@link showing}. */
const shownOrder = (keys: readonly Key[], descending: boolean) =>
  orderOf(
    keys,
    keys.map(({ device, narrow }) => device ?? narrow ?? ''),
    descending,
  );

/** A page of all devices, of an account or of all. */
function wholeQuery(page: DevicePage, keys: readonly Key[], source: ListSource): string {
  const { descending, limit, offset } = page;
  const { from, expressions } = source.from(keys);
  const [id = ''] = expressions.slice(-1);
  const ordered = (turned: boolean, when: string, rows: number) => {
    const within = isIndexed(keys) ? 'true' : boundOf(expressions[0] ?? '', from, turned, rows);
    return `SELECT ${id} AS id ${from} AND ${when} AND ${within} ORDER BY ${orderOf(keys, expressions, turned)}`;
  };
  const place = {
    total: '(SELECT n FROM total)',
    offset: `${offset}`,
    limit: `${limit}`,
    most: offset + limit,
    descending,
  };
  return `
    WITH total AS MATERIALIZED (SELECT count(*)::int AS n FROM devices d WHERE ${source.ofAccount('d')}),
    page AS MATERIALIZED (${fromNearerEnd(ordered, place)})
    ${showing('SELECT n FROM total', shownOrder(keys, descending))}`;
}

/** Devices that give a bound. */
const SAMPLED = 5_000;

/**
 * Leaves devices out that can't be among the first `rows` by a value without an index, before they are sorted: those behind as many of a
 * sample, whichever that has.
 */
function boundOf(value: string, from: string, descending: boolean, rows: number): string {
  if (rows > SAMPLED / 2) return 'true';
  const order = descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST';
  const sample = `SELECT ${value} AS value ${from} LIMIT ${SAMPLED}`;
  const bound = `(SELECT sample.value FROM (${sample}) sample ORDER BY sample.value ${order} LIMIT 1 OFFSET ${rows - 1})`;
  // Unknown values are first when ascending. Without a bound, all remain.
  return descending
    ? `COALESCE(${value} >= ${bound}, ${bound} IS NULL)`
    : `COALESCE(${value} <= COALESCE(${bound}, 'Infinity'::float8), true)`;
}

/** A page of what a search or a filter finds. */
function selectingQuery(page: DevicePage, keys: readonly Key[], source: ListSource): string {
  const { from, expressions } = source.from(keys);
  const columns = expressions.map((sql, index) => `${sql} AS ${index === keys.length - 1 ? 'id' : `key${index}`}`);
  const names = keys.map((_, index) => (index === keys.length - 1 ? 'id' : `key${index}`));
  const indexed = keys.map(({ device = '' }) => device);
  const { tables, total } = selecting(
    {
      tried: triesFirst(page)
        ? `SELECT d.id FROM devices d WHERE ${source.ofAccount('d')} ORDER BY ${orderOf(keys, indexed, page.descending)}`
        : undefined,
      hasTried: source.hasTried(),
      counted: source.from().from,
      hits: (when) => `SELECT ${columns.join(', ')} ${from} AND ${when}`,
      names: ['id'],
      order: orderOf(keys, names, page.descending),
    },
    page,
  );
  return `WITH ${tables} ${showing(total, shownOrder(keys, page.descending))}`;
}
