import type { Sql } from '@warren/platform/database/sql';
import { NARROW } from '../filters/filter.sql.ts';
import { compileEach } from './grants.sql.ts';

/** Devices for which the same filters hold. */
interface Pattern {
  /** A bit for each filter. */
  bits: Uint32Array;
  devices: number;
}

/** Filters per statement, so that it stays below its time limit. */
const FILTERS_EACH = 25;
const WORD = 32;

/**
 * Counts the devices of an account for which any filter of each set holds. Each filter is decided once per device, however many sets
 * contain it: 200 filters of several terms and 10,000 devices take about three seconds.
 * @param sets places of filters
 */
export async function countReach(
  sql: Sql,
  { accountId, filters, sets }: { accountId: string; filters: readonly string[]; sets: readonly (readonly number[])[] },
): Promise<{ counts: number[]; total: number }> {
  const patterns = await readPatterns(sql, accountId, filters);
  const countOf = (bits: Uint32Array) => sum(patterns.filter((pattern) => intersect(pattern.bits, bits)));
  return { counts: sets.map((places) => countOf(bitsAt(places, filters.length))), total: sum(patterns) };
}

async function readPatterns(sql: Sql, accountId: string, filters: readonly string[]): Promise<Pattern[]> {
  const heldBy = new Map<string, string>();
  let first = 0;
  do {
    const rows = await decide(sql, accountId, filters.slice(first, first + FILTERS_EACH));
    // A device added since the first statement has missed some filters.
    for (const { id, held } of rows) if (first === 0 || heldBy.has(id)) heldBy.set(id, (heldBy.get(id) ?? '') + held);
    first += FILTERS_EACH;
  } while (first < filters.length);
  return [...Map.groupBy(heldBy.values(), (held) => held)].map(([held, devices]) => ({
    bits: bitsAt(placesOf(held), filters.length),
    devices: devices.length,
  }));
}

/** Decides filters for each device of an account. @returns a text of ones and zeros by device */
async function decide(
  sql: Sql,
  accountId: string,
  filters: readonly string[],
): Promise<{ id: string; held: string }[]> {
  const values: unknown[] = [];
  const compiled = await compileEach(sql, filters, { accountIds: [accountId], values });
  const columns = compiled.map((one) => `CASE WHEN ${one.sql} THEN 1 ELSE 0 END`).join(', ');
  const from = compiled.some(({ usesDevices }) => usesDevices) ? `devices d ${NARROW}` : 'narrow_devices n';
  return sql.query(
    `SELECT n.id, array_to_string(ARRAY[${columns}]::int[], '') AS held FROM ${from} WHERE n.account_id = $${values.push(accountId)}`,
    values,
  );
}

/** The places of the ones in a text of ones and zeros. */
function placesOf(held: string): number[] {
  const places: number[] = [];
  for (let place = held.indexOf('1'); place !== -1; place = held.indexOf('1', place + 1)) places.push(place);
  return places;
}

function bitsAt(places: readonly number[], size: number): Uint32Array {
  const words = new Uint32Array(Math.ceil(size / WORD));
  for (const place of places) {
    const word = Math.floor(place / WORD);
    words[word] = (words[word] ?? 0) | (1 << (place % WORD));
  }
  return words;
}

function intersect(some: Uint32Array, others: Uint32Array): boolean {
  for (let at = 0; at < some.length; at++) if (((some[at] ?? 0) & (others[at] ?? 0)) !== 0) return true;
  return false;
}

function sum(patterns: readonly Pattern[]): number {
  return patterns.reduce((total, { devices }) => total + devices, 0);
}
