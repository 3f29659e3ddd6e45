import type { Sql } from '@warren/platform/database/sql';
import { timeOfId } from '@warren/platform/events/event.id';
import { idAt, type EventConditions, type StoredEvent } from './list.sql.ts';
import { findText, idAtPlace, keptEvents, type Scope, type Way } from './search.sql.ts';

const DEFAULTS = {
  /** After so many milliseconds a page is answered with what was found. */
  budgetMs: 40,
  /** Events that are read one by one in a step. Those of one account are on as many pages of the disk. */
  chunk: 4_000,
  chunkOfAccount: 1_000,
  /** An account with at most so many events needs no index of trigrams, which has those of all accounts. */
  few: 40_000,
};

export interface Found {
  events: StoredEvent[];
  /** Events with lower ids have not been looked at; undefined if there are none. */
  next: string | undefined;
}

/**
 * Tells whether the index of trigrams can find a text. pg_trgm takes words of letters and digits alone, and puts two blanks before and one
 * after a word that begins and ends inside the text. PostgreSQL reads the whole index for a text without a trigram, such as `---`.
 */
export const hasTrigram = (text: string): boolean => TRIGRAM.test(text);
const WORD = '[\\p{L}\\p{Nd}]';
const NO_WORD = '[^\\p{L}\\p{Nd}]';
const TRIGRAM = new RegExp(`${WORD}{3}|${WORD}{2}${NO_WORD}|${NO_WORD}${WORD}`, 'u');

type SearchOptions = { limit: number } & Partial<typeof DEFAULTS>;

/**
 * Finds the newest events with a text, back in time: the newest ones one by one, as most have a frequent text, then by the index of each
 * month if the text has trigrams. Ends before its time is over, however rare the text is; the next page continues there.
 */
export async function searchText(
  sql: Sql,
  conditions: EventConditions,
  { limit, ...options }: SearchOptions,
): Promise<Found> {
  const { budgetMs, few, ...chunks } = { ...DEFAULTS, ...options };
  const { accountId } = conditions;
  const chunk = accountId === undefined ? chunks.chunk : chunks.chunkOfAccount;
  const isInOrder =
    !hasTrigram(conditions.text) || (accountId !== undefined && (await keptEvents(sql, accountId)) <= few);
  const events: StoredEvent[] = [];
  const begun = performance.now();
  for (let to = conditions.to, way: Way = 'order'; ; way = isInOrder ? 'order' : 'index') {
    const stepBegun = performance.now();
    const start = await (way === 'order'
      ? idAtPlace(sql, { ...conditions, to }, chunk - 1)
      : monthOfNext(sql, { ...conditions, to }));
    if (start === undefined && way === 'index') return { events, next: undefined };
    const within = { ...conditions, to, from: later(start, conditions.from) };
    events.push(...(await findText(sql, within, { way, limit: limit - events.length })));
    if (events.length >= limit || start === undefined) return { events, next: undefined };
    to = start;
    const now = performance.now();
    // A month takes about as long as the one before.
    if (now - begun + (now - stepBegun) > budgetMs) return { events, next: to };
  }
}

/** The least id of the month of the next event. */
async function monthOfNext(sql: Sql, scope: Scope): Promise<string | undefined> {
  const newest = await idAtPlace(sql, scope, 0);
  return newest && startOfMonth(newest);
}

const later = (one: string | undefined, other: string | undefined) =>
  one === undefined || (other !== undefined && other > one) ? other : one;

/** The least id of the month of an id, as a UUID that clients may give back (RFC 9562, 4: version and variant). */
function startOfMonth(id: string): string {
  const time = new Date(timeOfId(id));
  const least = idAt(new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth())));
  return `${least.slice(0, 13)}-1000-8000-000000000000`;
}
