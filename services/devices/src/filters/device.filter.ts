import type { Sql } from '@warren/platform/database/sql';
import { invalidInput, shownValue } from '@warren/platform/errors/fault';
import type { Filter, ParsedFilter, ReferringFilter } from '@warren/rules/filter/filter';
import { matches, type FilterDevice } from '@warren/rules/filter/match';
import { parseFilter, parseReferring } from '@warren/rules/filter/parse';
import type { DecidableFilter } from './decidable.filter.ts';
import { filterSql, type FilterSql } from './filter.sql.ts';
import { comparesKinds } from './kind.terms.ts';
import { readKinds, type Kind } from './kinds.sql.ts';

/**
 * Parses the filter of a request, which can't name saved ones.
 * @param field its name, for the error
 * @throws Fault `invalid_argument` that names the wrong part and its place
 */
export function requireFilter(text: string, field = 'filter'): Filter {
  return required(parseFilter(text), text, field);
}

/** Parses the filter of a request, which may name saved ones. @throws Fault as {@link requireFilter} */
export function requireReferring(text: string, field: string): ReferringFilter {
  return required(parseReferring(text), text, field);
}

function required<F>(parsed: ParsedFilter<F>, text: string, field: string): F {
  if (parsed.ok) return parsed.filter;
  const [error] = parsed.errors;
  const place = error ? ` (at character ${error.from + 1})` : '';
  throw invalidInput({ field, message: `${error?.message ?? 'wrong.'}${place}`, value: shownValue(text) });
}

/** The statement that filters become parts of. */
export interface FilterUse {
  /** Whose devices it looks at, no others; undefined for those of every account. */
  accountIds: readonly string[] | undefined;
  values: unknown[];
  /** Whether it is for few devices, see {@link filterSql}. */
  ofFew?: boolean;
  /** Kinds of these devices, read with the first filter that compares them. */
  kinds?: Promise<Kind[]>;
}

/** The accounts of a {@link FilterUse}: one, or undefined for every. */
export function onlyOf(accountId: string | undefined): [string] | undefined {
  return accountId === undefined ? undefined : [accountId];
}

/** Compiles a filter to a condition over `narrow_devices n` and `devices d`, whose parameters are appended to the values of its use. */
export async function compileFilter(sql: Sql, filter: DecidableFilter, use: FilterUse): Promise<FilterSql> {
  const { values, ofFew = false } = use;
  const kinds = comparesKinds(filter) ? (await (use.kinds ??= readKinds(sql, use.accountIds))).map(asDevice) : [];
  const kindsOf = (part: Filter) => kinds.filter(({ device }) => matches(part, device, 0)).map(({ id }) => id);
  return filterSql(filter, values, kindsOf, ofFew);
}

/** A device of a kind, of which nothing else is known. */
function asDevice({ id, ...kind }: Kind): { id: number; device: FilterDevice } {
  const unknown = { id: '', labels: {}, connected: false, name: '', hostname: '', account: { id: '', name: '' } };
  const device = {
    ...unknown,
    serial: '',
    addresses: [],
    lastSeen: 0,
    created: 0,
    console: false,
    web: false,
    ...kind,
  };
  return { id, device };
}
