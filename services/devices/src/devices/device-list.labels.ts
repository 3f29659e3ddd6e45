import { fromNearerEnd, selecting, showing } from './device-list.page.ts';
import { NEAR, triesFirst, type DevicePage, type ListSource } from './device-list.source.ts';

const TOTAL = '(SELECT n FROM total)';
const FOUND = '(SELECT n FROM found)';
const NO_NAME = 'NULL::text COLLATE "C" AS unlabelled_name';

const directionOf = (descending: boolean) => (descending ? 'DESC' : 'ASC');

/** ORDER BY of a page by a label. */
function orderOf(direction: string, alias = ''): string {
  return `${alias}value ${direction} NULLS LAST, ${alias}unlabelled_name ${direction}, ${alias}id ${direction}`;
}

/**
 * Sorts by the value of a label, byte by byte, then by id, which is the order of the index. Devices without the label are last in
 * both directions, by name. A page is a walk through the index of the labels, and through that of names only for what the labelled
 * devices leave of it.
 */
export function labelQuery(page: DevicePage, source: ListSource): string {
  const ofKey = `l.key = $${source.values.push(page.label ?? '')}`;
  return page.pattern !== undefined || page.condition
    ? selectingQuery(page, source, ofKey)
    : wholeQuery(page, source, ofKey);
}

/** The labels of the account's devices. */
function labelled(page: DevicePage, source: ListSource, ofKey: string): string {
  const ofAccount =
    page.accountId === undefined ? '' : `JOIN devices d ON d.id = l.device_id AND ${source.ofAccount('d')}`;
  return `SELECT l.value, l.device_id AS id FROM device_labels l ${ofAccount} WHERE ${ofKey}`;
}

function wholeQuery(page: DevicePage, source: ListSource, ofKey: string): string {
  const { limit, offset, descending } = page;
  const most = offset + limit;
  const of = labelled(page, source, ofKey);
  const first = fromNearerEnd(
    (turned, when) =>
      `SELECT value, ${NO_NAME}, id FROM (${of}) labelled WHERE ${FOUND} > ${offset} AND ${when}
       ORDER BY value ${directionOf(turned)}, id ${directionOf(turned)}`,
    { total: FOUND, offset: `${offset}`, limit: `${limit}`, most, descending },
  );
  // Not turned into a join, which would read all labels of the key.
  const without = `NOT EXISTS (SELECT FROM device_labels l WHERE l.device_id = d.id AND ${ofKey} OFFSET 0)`;
  const others = fromNearerEnd(
    (turned, when) =>
      `SELECT NULL::text COLLATE "C" AS value, d.sort_name AS unlabelled_name, d.id FROM devices d
       WHERE ${source.ofAccount('d')} AND ${FOUND} < ${most} AND ${when} AND ${without}
       ORDER BY d.sort_name ${directionOf(turned)}, d.id ${directionOf(turned)}`,
    {
      total: `(${TOTAL} - ${FOUND})`,
      offset: `GREATEST(0, ${offset} - ${FOUND})`,
      limit: `(${limit} - GREATEST(0, LEAST(${limit}, ${FOUND} - ${offset})))`,
      most,
      descending,
    },
  );
  return `
    WITH total AS MATERIALIZED (SELECT count(*)::int AS n FROM devices d WHERE ${source.ofAccount('d')}),
    found AS MATERIALIZED (SELECT count(*)::int AS n FROM (${of} ${most <= NEAR ? `LIMIT ${most}` : ''}) labelled),
    page AS MATERIALIZED (${first} UNION ALL ${others})
    ${showing('SELECT n FROM total', orderOf(directionOf(descending), 'page.'))}`;
}

function selectingQuery(page: DevicePage, source: ListSource, ofKey: string): string {
  const direction = directionOf(page.descending);
  const { from, expressions } = source.from([
    { device: 'd.sort_name', narrow: 'n.sort_name' },
    { device: 'd.id', narrow: 'n.id' },
  ]);
  const [name = '', id = ''] = expressions;
  const { tables, total } = selecting(
    {
      tried: triesFirst(page)
        ? `${labelled(page, source, ofKey)} ORDER BY l.value ${direction}, l.device_id ${direction}`
        : undefined,
      hasTried: source.hasTried(),
      counted: source.from().from,
      hits: (when) => `
        SELECT l.value, CASE WHEN l.value IS NULL THEN h.name END AS unlabelled_name, h.id
        FROM (SELECT ${name} AS name, ${id} AS id ${from} AND ${when}) h LEFT JOIN device_labels l ON l.device_id = h.id AND ${ofKey}`,
      names: ['value', 'unlabelled_name', 'id'],
      order: orderOf(direction),
    },
    page,
  );
  return `WITH ${tables} ${showing(total, `page.place, ${orderOf(direction, 'page.')}`)}`;
}
