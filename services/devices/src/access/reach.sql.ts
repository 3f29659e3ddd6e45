import type { Sql } from '@warren/platform/database/sql';
import { Fault } from '@warren/platform/errors/fault';
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
/** Devices per statement: those that are in memory at the same time. */
const DEVICES_EACH = 20_000;
/** How long a count takes at most, without its last statement. Who asks waits for 20 seconds. */
const LONGEST_MS = 15_000;
const WORD = 32;
const FIRST = '00000000-0000-0000-0000-000000000000';

export interface Reach {
  accountId: string;
  filters: readonly string[];
  /** Places of filters. */
  sets: readonly (readonly number[])[];
}

/** Bounds of one count. */
interface Bounds {
  devicesEach?: number;
  longestMs?: number;
}

/**
 * Counts the devices of an account for which any filter of each set holds. Each filter is decided once per device, however many sets
 * contain it: 200 filters of several terms and 10,000 devices take about three seconds.
 * @throws Fault `deadline_exceeded`
 */
export async function countReach(
  sql: Sql,
  { accountId, filters, sets }: Reach,
  { devicesEach = DEVICES_EACH, longestMs = LONGEST_MS }: Bounds = {},
): Promise<{ counts: number[]; total: number }> {
  const patterns = await readPatterns(sql, { accountId, filters }, { devicesEach, until: Date.now() + longestMs });
  const countOf = (bits: Uint32Array) => sum(patterns.filter((pattern) => intersect(pattern.bits, bits)));
  return { counts: sets.map((places) => countOf(bitsAt(places, filters.length))), total: sum(patterns) };
}

type Filters = Pick<Reach, 'accountId' | 'filters'>;

async function readPatterns(
  sql: Sql,
  of: Filters,
  { devicesEach, until }: { devicesEach: number; until: number },
): Promise<Pattern[]> {
  const devicesBy = new Map<string, number>();
  for (let after: string | undefined = FIRST; after !== undefined;) {
    const heldBy = await readSome(sql, of, { after, devicesEach, until });
    for (const held of heldBy.values()) devicesBy.set(held, (devicesBy.get(held) ?? 0) + 1);
    after = heldBy.size < devicesEach ? undefined : [...heldBy.keys()].at(-1);
  }
  return [...devicesBy].map(([held, devices]) => ({ bits: bitsAt(placesOf(held), of.filters.length), devices }));
}

/** The next devices by id, each with a text of ones and zeros: which filters hold. */
async function readSome(
  sql: Sql,
  { accountId, filters }: Filters,
  { after, devicesEach, until }: { after: string; devicesEach: number; until: number },
): Promise<Map<string, string>> {
  const heldBy = new Map<string, string>();
  let first = 0;
  do {
    if (Date.now() > until) throw new Fault('deadline_exceeded', 'Counting what grants reach takes too long.');
    const some = filters.slice(first, first + FILTERS_EACH);
    const last = first === 0 ? undefined : [...heldBy.keys()].at(-1);
    if (first > 0 && last === undefined) break;
    const rows = await decide(sql, { accountId, filters: some }, { after, last, most: devicesEach });
    // A device added since the first statement has missed some filters.
    for (const { id, held } of rows) if (first === 0 || heldBy.has(id)) heldBy.set(id, (heldBy.get(id) ?? '') + held);
    first += FILTERS_EACH;
  } while (first < filters.length);
  return heldBy;
}

/** Decides filters for devices of an account. @returns a text of ones and zeros by device, in the order of ids */
async function decide(
  sql: Sql,
  { accountId, filters }: Filters,
  { after, last, most }: { after: string; last: string | undefined; most: number },
): Promise<{ id: string; held: string }[]> {
  const values: unknown[] = [];
  const compiled = await compileEach(sql, filters, { accountIds: [accountId], values });
  const columns = compiled.map((one) => `CASE WHEN ${one.sql} THEN 1 ELSE 0 END`).join(', ');
  const from = compiled.some(({ usesDevices }) => usesDevices) ? `devices d ${NARROW}` : 'narrow_devices n';
  const within = [`n.account_id = $${values.push(accountId)}`, `n.id > $${values.push(after)}`];
  if (last !== undefined) within.push(`n.id <= $${values.push(last)}`);
  return sql.query(
    `SELECT n.id, array_to_string(ARRAY[${columns}]::int[], '') AS held FROM ${from} WHERE ${within.join(' AND ')}
     ORDER BY n.id ${last === undefined ? `LIMIT $${values.push(most)}` : ''}`,
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
