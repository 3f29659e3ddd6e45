import type { Page } from '@warren/platform/database/page';

/** A list in SQL. */
export interface Listing {
  /** FROM and WHERE of the list; its parameters start at `$1`. */
  source: string;
  /** The sort keys; the id is appended as the tie-breaker. */
  keys: readonly string[];
  /** The id of a row. */
  id: string;
  /** The columns of a shown row. */
  columns: string;
  /** Joins for the columns, onto `page`, which has the row's `id`. */
  joins: string;
}

/** A result row; past the last page there is a single one, with the total alone. */
export type Listed<Row> = { total: number } & (Row | { id: null });

/**
 * Builds one statement, which so reads one state of the database: every row has the `total`. It finds the page by its keys alone, in an
 * index if there is one, and joins only its rows; a search runs once. Descending is the exact reverse of ascending.
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

/** The rows of a page, and the number of rows on all pages. */
export function listed<Row extends { id: string }>(rows: readonly Listed<Row>[]): { rows: Row[]; total: number } {
  return { rows: rows.filter((row): row is Listed<Row> & Row => row.id !== null), total: rows[0]?.total ?? 0 };
}
