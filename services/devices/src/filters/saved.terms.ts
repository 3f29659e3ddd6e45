import { invalidInput, shownValue } from '@warren/platform/errors/fault';
import type { Sql } from '@warren/platform/database/sql';
import { expandFilter, savedKeysOf } from '@warren/rules/filter/expand';
import type { Filter, ReferringFilter } from '@warren/rules/filter/filter';
import type { DecidableFilter } from './decidable.filter.ts';
import { onlyOf, requireReferring } from './device.filter.ts';
import { readKeyed } from './saved.filters.sql.ts';

/** Without `filter` nothing can be decided by it, and it holds for no device: `problem` says why, for people. */
export type Decided = { filter: DecidableFilter; problem?: never } | { filter?: never; problem: string };

interface Where {
  /** Whose devices are looked at; undefined for every account. */
  accountIds?: readonly string[] | undefined;
  /** Says why a filter with its views expanded can't be used; undefined if it can. */
  unfit?: (filter: Filter) => string | undefined;
}

/** Texts that the saved filters of different accounts may make of one. */
const MOST_TEXTS = 16;

/**
 * Expands the saved filters that filters name. In each account the names mean its own filters; for the devices of an account that lacks one,
 * or where one can't be named, the whole holds for none, also below a negation.
 */
export async function decidable(sql: Sql, filters: readonly ReferringFilter[], where: Where): Promise<Decided[]> {
  const keys = [...new Set(filters.flatMap(savedKeysOf))];
  // Nearly all filters name none, and cost no query.
  const rows = keys.length === 0 ? [] : await readKeyed(sql, keys, where.accountIds);
  const accounts = new Map<string, Map<string, string>>();
  for (const { accountId: id, key, filter } of rows)
    accounts.set(id, (accounts.get(id) ?? new Map<string, string>()).set(key, filter));
  return filters.map((filter) => {
    const named = savedKeysOf(filter);
    if (named.length === 0) return { filter: filter as DecidableFilter };
    return inEach(filter, named, { accounts, unfit: where.unfit });
  });
}

function inEach(
  filter: ReferringFilter,
  named: readonly string[],
  { accounts, unfit }: Pick<Where, 'unfit'> & { accounts: ReadonlyMap<string, ReadonlyMap<string, string>> },
): Decided {
  const texts = new Map<string, { ids: string[]; filter: Filter }>();
  const missing = named.find((key) => ![...accounts.values()].some((known) => known.has(key))) ?? named.join();
  let problem = `The account has no shared view “${missing}”.`;
  for (const [id, known] of accounts) {
    if (!named.every((key) => known.has(key))) continue;
    const expanded = expandFilter(filter, (key) => known.get(key));
    const wrong = expanded.ok ? unfit?.(expanded.filter) : expanded.message;
    if (wrong !== undefined || !expanded.ok) problem = wrong ?? problem;
    else {
      const same = texts.get(expanded.text) ?? { ids: [], filter: expanded.filter };
      same.ids.push(id);
      texts.set(expanded.text, same);
    }
  }
  if (texts.size === 0) return { problem };
  if (texts.size > MOST_TEXTS)
    return { problem: `The filter uses views that differ between ${texts.size} accounts. Choose an account.` };
  const terms = [...texts.values()].map(({ ids, filter: own }): DecidableFilter => {
    return { kind: 'and', terms: [{ kind: 'in_accounts', ids }, ...(own.kind === 'and' ? own.terms : [own])] };
  });
  return { filter: terms.length === 1 && terms[0] ? terms[0] : { kind: 'or', terms } };
}

/**
 * Parses the filter of a request, which may name saved filters.
 * @throws Fault `invalid_argument` that names the wrong part and its place, or a saved filter that is not there
 */
export async function requireDecidable(
  sql: Sql,
  text: string,
  { field = 'filter', accountId }: { field?: string; accountId: string | undefined },
): Promise<DecidableFilter> {
  const referring = requireReferring(text, field);
  const [decided] = await decidable(sql, [referring], { accountIds: onlyOf(accountId) });
  if (decided?.filter) return decided.filter;
  throw invalidInput({ field, message: decided?.problem ?? 'The filter is not valid.', value: shownValue(text) });
}
