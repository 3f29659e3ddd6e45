import type { Page } from '@warren/platform/database/page';

/** What a list shows, in SQL. */
export interface Listing {
  /** FROM and WHERE of what is listed; `$1` on are its parameters. */
  source: string;
  /** What the rows are ordered by; the id, which settles what is alike, comes last of itself. */
  keys: readonly string[];
  /** The id of a row. */
  id: string;
  /** The columns of a row that is shown. */
  columns: string;
  /** Joins that the columns need, onto `page`, which has the row's `id`. */
  joins: string;
}

/** A row of the answer; behind the last page there is a single one, with the total alone. */
export type Listed<Row> = { total: number } & (Row | { id: null });

/**
 * One statement, so one state of the database: every row has the `total`. The page is found by its keys alone, in an index
 * where one has them, and only its rows are joined; a search runs once. Descending is the exact reverse of ascending.
 */
export function pageQuery(listing: Listing, { pattern, limit, offset, descending }: Page): string {
  const direction = descending ? 'DESC' : 'ASC';
  const keys = listing.keys.map((key, index) => `${key} AS key${index}`);
  const order = [...keys.map((_, index) => `key${index}`), 'id'].map((key) => `${key} ${direction}`).join(', ');
  return `
    WITH hit AS ${pattern === undefined ? 'NOT ' : ''}MATERIALIZED (
      SELECT ${[...keys, `${listing.id} AS id`].join(', ')} ${listing.source}
    ), page AS MATERIALIZED (
      SELECT id, row_number() OVER (ORDER BY ${order}) AS place
      FROM (SELECT * FROM hit ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}) found
    )
    SELECT total.n AS total, shown.*
    FROM (SELECT count(*)::int AS n FROM hit) total
    LEFT JOIN (SELECT page.place, ${listing.columns} FROM page ${listing.joins}) shown ON true
    ORDER BY shown.place`;
}

/** The rows of a page and how many there are on all pages. */
export function listed<Row extends { id: string }>(rows: readonly Listed<Row>[]): { rows: Row[]; total: number } {
  return { rows: rows.filter((row): row is Listed<Row> & Row => row.id !== null), total: rows[0]?.total ?? 0 };
}
