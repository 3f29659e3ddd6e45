import { DEVICE_COLUMNS } from './device.row.ts';
import { NEAR, TRIED, type DevicePage } from './device-list.source.ts';

/** Where a page is among the rows of an order. SQL, without names. */
interface Place {
  total: string;
  offset: string;
  limit: string;
  /** Rows up to the end of the page, at most. */
  most: number;
  descending: boolean;
}

/**
 * Finds a page from the nearer end of an order: from the last row where few follow it. The inner limits are constants, by which the
 * planner decides for the index of the order.
 * @param ordered a SELECT with its ORDER BY, in either direction, that has no rows unless the condition `when` holds, and of which as many
 *   `rows` are read
 */
export function fromNearerEnd(
  ordered: (descending: boolean, when: string, rows: number) => string,
  { total, offset, limit, most, descending }: Place,
): string {
  const isLast = `${total} - ${offset} <= ${NEAR}`;
  const forward = (when: string) =>
    `(SELECT * FROM (${ordered(descending, when, most)} LIMIT ${most}) forward LIMIT ${limit} OFFSET ${offset})`;
  if (most <= NEAR) return forward('true');
  return `${forward(`NOT (${isLast})`)} UNION ALL (
    SELECT * FROM (${ordered(!descending, isLast, NEAR)} LIMIT ${NEAR}) backward
    LIMIT GREATEST(0, LEAST(${limit}, ${total} - ${offset})) OFFSET GREATEST(0, ${total} - ${offset} - ${limit}))`;
}

/** Of a statement with a search or a filter. */
interface Selecting {
  /** The first devices in the order of the list, if they are tried. */
  tried: string | undefined;
  /** Whether the list has one of them, `t`. */
  hasTried: string;
  /** FROM and WHERE of all that the list has, for their number. */
  counted: string;
  /** Reads all that the list has with what they are sorted by, if the condition holds. */
  hits: (when: string) => string;
  /** What `hits` gives. */
  names: readonly string[];
  /** ORDER BY over `hits`. */
  order: string;
}

/**
 * The common tables for a page of what a search or a filter finds. Where many devices are found, the page is among the first that are
 * tried, and the others are only counted; where few are, all of them are sorted. Each runs the condition over all devices once.
 */
export function selecting(
  { tried, hasTried, counted, hits, names, order }: Selecting,
  { limit, offset }: DevicePage,
): { tables: string; total: string } {
  const ofHits = `SELECT NULL::bigint AS place, ${names.join(', ')} FROM (SELECT * FROM hit ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}) found`;
  if (tried === undefined)
    return {
      tables: `hit AS MATERIALIZED (${hits('true')}), page AS MATERIALIZED (${ofHits})`,
      total: 'SELECT count(*)::int AS n FROM hit',
    };
  const enough = '(SELECT yes FROM enough)';
  // Without ORDER BY, these tables are read as far as needed, in the order of the index.
  const tables = `
    tried AS MATERIALIZED (SELECT ordered.*, row_number() OVER () AS place FROM (${tried} LIMIT ${TRIED * (limit + offset)}) ordered),
    walked AS MATERIALIZED (SELECT t.id, t.place FROM tried t WHERE ${hasTried} LIMIT ${limit + offset}),
    enough AS MATERIALIZED (SELECT count(*) = ${limit + offset} AS yes FROM walked),
    hit AS MATERIALIZED (${hits(`NOT ${enough}`)}),
    page AS MATERIALIZED (
      (SELECT place, ${names.map((name) => (name === 'id' ? name : `NULL AS ${name}`)).join(', ')} FROM walked WHERE ${enough} ORDER BY place OFFSET ${offset})
      UNION ALL (${ofHits}))`;
  const total = `SELECT CASE WHEN ${enough} THEN (SELECT count(*) ${counted}) ELSE (SELECT count(*) FROM hit) END::int AS n`;
  return { tables, total };
}

/** Shows the devices of `page` in order. @param total a SELECT of `n`, the number of all */
export function showing(total: string, order: string): string {
  return `
    SELECT total.n AS total, shown.*
    FROM (${total}) total
    LEFT JOIN (
      SELECT row_number() OVER (ORDER BY ${order}) AS place, ${DEVICE_COLUMNS}
      FROM page JOIN devices d ON d.id = page.id JOIN narrow_devices n ON n.id = d.id LEFT JOIN device_facts f ON f.device_id = d.id
    ) shown ON true
    ORDER BY shown.place`;
}
