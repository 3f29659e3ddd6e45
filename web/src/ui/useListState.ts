import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { pageCount, readListState, searchFor, sortBy, writeListState } from '../lib/list-state.ts';
import type { ListRules, ListState } from '../lib/list-state.ts';

export interface ListControl {
  state: ListState;
  search: (text: string) => void;
  /** Replaces search and filter. */
  filter: (filter: string, search: string) => void;
  sort: (column: string) => void;
  page: (page: number) => void;
  /** The same, in place of the page that stands in the address. */
  pageInstead: (page: number) => void;
}

/** A list's state in the address' query. Typing replaces the entry in the history; a page or an order adds one. */
export function useListState(rules: ListRules): ListControl {
  const [query, setQuery] = useSearchParams();
  const go = (change: (state: ListState) => ListState, replace: boolean) =>
    setQuery((now) => writeListState(now, change(readListState(now, rules)), rules), { replace });
  return {
    state: readListState(query, rules),
    search: (text) => void go((state) => searchFor(state, text), true),
    filter: (filter, search) => void go((state) => ({ ...state, filter, search, page: 1 }), true),
    sort: (column) => void go((state) => sortBy(state, column), false),
    page: (page) => void go((state) => ({ ...state, page }), false),
    pageInstead: (page) => void go((state) => ({ ...state, page }), true),
  };
}

/**
 * Goes to the last page where the shown one lies behind it: what stood there was deleted, or the address is an old one.
 * @param total of the shown page's own answer; undefined until it is here
 * @returns whether it is on the way there, so that no empty state flashes meanwhile
 */
export function useLastPage(
  { page, total, limit }: { page: number; total: number | undefined; limit: number },
  go: (page: number) => void,
): boolean {
  const last = total === undefined ? page : pageCount(total, limit);
  const behind = page > last;
  useEffect(() => {
    if (behind) go(last);
  }, [behind, last]);
  return behind;
}
