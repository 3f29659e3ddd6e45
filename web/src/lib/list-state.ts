import { LIMITS } from '@warren/rules/limits';

/** The state of a list, stored in the URL's query alone, so that a link, a reload and the back button show the same rows. */
export interface ListState {
  /** As typed; below 2 characters it is kept but not applied. */
  search: string;
  /** A filter of devices, for lists that take one. */
  filter: string;
  sort: string;
  order: 'asc' | 'desc';
  /** From 1. */
  page: number;
}

export interface ListRules {
  /** Sortable columns; the first is the default. */
  sorts: readonly [string, ...string[]];
  /** Whether the list takes another sort. */
  accepts?: (sort: string) => boolean;
}

export const SEARCH_MINIMUM = LIMITS.searchMin;

export function readListState(query: URLSearchParams, rules: ListRules): ListState {
  const sort = query.get('sort') ?? '';
  const page = Number(query.get('page'));
  return {
    search: query.get('search') ?? '',
    filter: query.get('filter') ?? '',
    sort: rules.sorts.includes(sort) || rules.accepts?.(sort) ? sort : rules.sorts[0],
    order: query.get('order') === 'desc' ? 'desc' : 'asc',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** Writes the values that differ from the defaults, and keeps other parameters. */
export function writeListState(query: URLSearchParams, state: ListState, rules: ListRules): URLSearchParams {
  const next = new URLSearchParams(query);
  const put = (key: string, value: string, usual: string) =>
    value === usual ? next.delete(key) : next.set(key, value);
  put('search', state.search, '');
  put('filter', state.filter, '');
  put('sort', state.sort, rules.sorts[0]);
  put('order', state.order, 'asc');
  put('page', String(state.page), '1');
  return next;
}

/** Sorts by a column: reverses the same one, or starts ascending; goes to the first page. */
export function sortBy(state: ListState, sort: string): ListState {
  const order = state.sort === sort && state.order === 'asc' ? 'desc' : 'asc';
  return { ...state, sort, order, page: 1 };
}

export const searchFor = (state: ListState, search: string): ListState => ({ ...state, search, page: 1 });

/** Returns the search for the hub; undefined without one, or if it is too short. */
export function appliedSearch(state: ListState): string | undefined {
  const text = state.search.trim();
  return text.length >= SEARCH_MINIMUM ? text : undefined;
}

export const pageCount = (total: number, limit: number): number => Math.max(1, Math.ceil(total / limit));
