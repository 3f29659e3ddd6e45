import { describe, expect, it } from '@jest/globals';
import { appliedSearch, pageCount, readListState, searchFor, sortBy, writeListState } from './list-state.ts';
import type { ListRules } from './list-state.ts';

const rules: ListRules = { sorts: ['status', 'name', 'account'] };
const read = (query: string) => readListState(new URLSearchParams(query), rules);

describe('a list in the address', () => {
  it('has defaults for missing and invalid values', () => {
    const usual = { search: '', filter: '', sort: 'status', order: 'asc', page: 1 };
    expect(read('')).toEqual(usual);
    expect(read('page=0&sort=secret&order=up')).toEqual(usual);
    expect(read('page=-3')).toEqual(usual);
    expect(read('page=2.5')).toEqual(usual);
  });

  it('reads back what it wrote', () => {
    const state = { search: 'pump & valve', filter: 'site="a b"', sort: 'name', order: 'desc' as const, page: 4 };
    expect(readListState(writeListState(new URLSearchParams(), state, rules), rules)).toEqual(state);
  });

  it('writes no defaults, and keeps other parameters', () => {
    const query = new URLSearchParams('device=d1&page=3&search=old');
    expect(writeListState(query, read(''), rules).toString()).toBe('device=d1');
  });

  it('reverses the same column and starts another ascending, from the first page', () => {
    const start = read('page=3');
    const turned = sortBy(start, 'status');
    expect(turned).toMatchObject({ sort: 'status', order: 'desc', page: 1 });
    expect(sortBy(turned, 'status')).toMatchObject({ order: 'asc' });
    expect(sortBy(turned, 'name')).toMatchObject({ sort: 'name', order: 'asc' });
  });

  it('applies a search from two characters', () => {
    expect(appliedSearch(searchFor(read(''), 'a'))).toBeUndefined();
    expect(appliedSearch(searchFor(read(''), ' a '))).toBeUndefined();
    expect(appliedSearch(searchFor(read('page=7'), 'ab'))).toBe('ab');
    expect(searchFor(read('page=7'), 'ab').page).toBe(1);
  });

  it('counts pages', () => {
    expect([0, 1, 50, 51, 100].map((total) => pageCount(total, 50))).toEqual([1, 1, 1, 2, 2]);
  });
});
