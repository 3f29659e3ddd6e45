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
  /** Goes to a page, and replaces the history entry. */
  pageInstead: (page: number) => void;
}

/** Holds a list's state in the URL's query. Typing replaces the history entry; a page or an order adds one. */
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
 * Goes to the last page if the current one is beyond it, after deletions or with an old URL.
 * @param total from the answer for the current page; undefined until it is loaded
 * @returns whether it is leaving the page, so that no empty state flashes
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
