import type { Sql } from '@warren/platform/database/sql';
import { parseReferring } from '@warren/rules/filter/parse';
import { unfitForGrants } from '@warren/rules/grants';
import type { DecidableFilter } from '../filters/decidable.filter.ts';
import { compileFilter, type FilterUse } from '../filters/device.filter.ts';
import { NARROW, type FilterSql } from '../filters/filter.sql.ts';
import { decidable } from '../filters/saved.terms.ts';

/** What is compiled of a grant. */
interface Filtered {
  filter: string;
}

/** Holds for no device. */
const NONE: FilterSql = { sql: 'false', usesNarrow: false, usesDevices: false, usesFacts: false };

/**
 * Compiles the filters of grants to one condition over `narrow_devices n` and `devices d` that holds where any of them does, whose parameters
 * are appended to `values`. A filter that can't be decided holds for no device.
 */
export async function anyGrant(sql: Sql, grants: readonly Filtered[], use: FilterUse): Promise<FilterSql> {
  const texts = [...new Set(grants.map(({ filter }) => filter))];
  const terms = (await decided(sql, texts, use.accountIds)).filter((filter) => filter !== undefined);
  return terms.length === 0 ? NONE : compileFilter(sql, { kind: 'or', terms }, use);
}

/** The filters of grants with their saved filters expanded; undefined for one that can't be decided. */
async function decided(
  sql: Sql,
  texts: readonly string[],
  accountIds: readonly string[] | undefined,
): Promise<(DecidableFilter | undefined)[]> {
  const parsed = texts.map((text) => parseReferring(text));
  const readable = parsed.flatMap((one) => (one.ok ? [one.filter] : []));
  const all = (await decidable(sql, readable, { accountIds, unfit: unfitForGrants })).values();
  return parsed.map((one) => (one.ok ? all.next().value?.filter : undefined));
}

/** Compiles the filters of grants, each to a condition; one that can't be decided holds for no device. */
export async function compileEach(sql: Sql, texts: readonly string[], use: FilterUse): Promise<FilterSql[]> {
  const compiled: FilterSql[] = [];
  for (const filter of await decided(sql, texts, use.accountIds))
    compiled.push(filter ? await compileFilter(sql, filter, use) : NONE);
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
  const compiled = await compileEach(sql, texts, { accountIds: [accountId], values, ofFew: true });
  const places = compiled.map((one, place) => `CASE WHEN ${one.sql} THEN ${place} END`).join(', ');
  const rows = await sql.query<{ id: string; places: number[] }[]>(
    `SELECT d.id, array_remove(ARRAY[${places}]::int[], NULL) AS places FROM devices d ${NARROW}
     WHERE d.id = ANY($${values.push(ids)}::uuid[]) AND d.account_id = $${values.push(accountId)}`,
    values,
  );
  const placesOf = Map.groupBy(filters.keys(), (place) => texts.indexOf(filters[place]?.filter ?? ''));
  return new Map(rows.map((row) => [row.id, row.places.flatMap((place) => placesOf.get(place) ?? [])]));
}
