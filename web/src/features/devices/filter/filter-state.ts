import { formatFilter } from '@warren/rules/filter/format';
import { parseReferring } from '@warren/rules/filter/parse';
import { appliedSearch, type ListState } from '../../../lib/list-state.ts';
import type { ListControl } from '../../../ui/useListState.ts';

/** The text of the filter in the address. A plain search, as older links have it, is a word of the grammar. */
export function textOf({ filter, search }: ListState): string {
  if (filter !== '' || search === '') return filter;
  return isPlainWord(search) ? search : formatFilter({ kind: 'word', text: search });
}

/** What the hub is asked for. It refuses a filter that can't be parsed, so that no list shows more than its address says. */
export function appliedFilter(state: ListState): { search?: string; filter?: string } {
  if (state.filter !== '') return { filter: state.filter };
  const search = appliedSearch(state);
  return search === undefined ? {} : { search };
}

/** The text of the filter, and how to change it: a single word is a search. */
export function useFilterText(list: ListControl): [text: string, filter: (text: string) => void] {
  const filter = (text: string) => (isPlainWord(text) ? list.filter('', text) : list.filter(text, ''));
  return [textOf(list.state), filter];
}

function isPlainWord(text: string): boolean {
  if (text === '') return true;
  const parsed = parseReferring(text);
  return parsed.ok && parsed.filter.kind === 'word' && parsed.filter.text === text;
}
