import type { Sql } from '@warren/platform/database/sql';
import { parseFilter } from '@warren/rules/filter/parse';
import { compileFilter } from '../filters/device.filter.ts';
import type { FilterSql } from '../filters/filter.sql.ts';

/** What is compiled of a grant. */
interface Filtered {
  filter: string;
}

/** Holds for no device. */
const NONE: FilterSql = { sql: 'false', usesFacts: false };

/**
 * Compiles the filters of grants to one condition over `devices d` and `device_facts f` that holds where any of them does, whose parameters
 * are appended to `values`. A filter that can't be parsed holds for no device.
 */
export async function anyGrant(sql: Sql, grants: readonly Filtered[], values: unknown[]): Promise<FilterSql> {
  const terms = [...new Set(grants.map(({ filter }) => filter))].flatMap((text) => {
    const parsed = parseFilter(text);
    return parsed.ok ? [parsed.filter] : [];
  });
  return terms.length === 0 ? NONE : compileFilter(sql, { kind: 'or', terms }, values);
}

/** Compiles the filters of grants for few devices, each to a condition; a filter that can't be parsed holds for no device. */
async function compileEach(sql: Sql, filters: readonly string[], values: unknown[]): Promise<FilterSql[]> {
  const compiled: FilterSql[] = [];
  for (const text of filters) {
    const parsed = parseFilter(text);
    compiled.push(parsed.ok ? await compileFilter(sql, parsed.filter, values, true) : NONE);
  }
  return compiled;
}

/** Finds which filters hold for each of these devices. @returns the places of the filters, by device id */
export async function matchFilters(
  sql: Sql,
  { filters, accountId, ids }: { filters: readonly Filtered[]; accountId: string; ids: readonly string[] },
): Promise<Map<string, number[]>> {
  const values: unknown[] = [];
  // Grants of one filter are decided once.
  const texts = [...new Set(filters.map(({ filter }) => filter))];
  const compiled = await compileEach(sql, texts, values);
  const places = compiled.map((one, place) => `CASE WHEN ${one.sql} THEN ${place} END`).join(', ');
  const facts = compiled.some((one) => one.usesFacts) ? 'LEFT JOIN device_facts f ON f.device_id = d.id' : '';
  const rows = await sql.query<{ id: string; places: number[] }[]>(
    `SELECT d.id, array_remove(ARRAY[${places}]::int[], NULL) AS places FROM devices d ${facts}
     WHERE d.id = ANY($${values.push(ids)}::uuid[]) AND d.account_id = $${values.push(accountId)}`,
    values,
  );
  const placesOf = Map.groupBy(filters.keys(), (place) => texts.indexOf(filters[place]?.filter ?? ''));
  return new Map(rows.map((row) => [row.id, row.places.flatMap((place) => placesOf.get(place) ?? [])]));
}
