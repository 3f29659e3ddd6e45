import { useSearchParams } from 'react-router';
import { readListState, searchFor, sortBy, writeListState } from '../lib/list-state.ts';
import type { ListRules, ListState } from '../lib/list-state.ts';

export interface ListControl {
  state: ListState;
  search: (text: string) => void;
  sort: (column: string) => void;
  page: (page: number) => void;
}

/** A list's state in the address' query. Typing replaces the entry in the history; a page or an order is a step of its own. */
export function useListState(rules: ListRules): ListControl {
  const [query, setQuery] = useSearchParams();
  const go = (change: (state: ListState) => ListState, replace: boolean) =>
    setQuery((now) => writeListState(now, change(readListState(now, rules)), rules), { replace });
  return {
    state: readListState(query, rules),
    search: (text) => void go((state) => searchFor(state, text), true),
    sort: (column) => void go((state) => sortBy(state, column), false),
    page: (page) => void go((state) => ({ ...state, page }), false),
  };
}
