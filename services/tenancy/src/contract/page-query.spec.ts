import { describe, expect, it } from '@jest/globals';
import { listed, pageQuery } from './page-query.ts';

const listing = {
  source: 'FROM things t WHERE t.owner = $1',
  keys: ['t.kind', 't.name'],
  id: 't.id',
  columns: 't.*',
  joins: 'JOIN things t ON t.id = page.id',
};
const page = { limit: 20, offset: 40, pattern: undefined, descending: false };
const flat = (sql: string) => sql.replace(/\s+/g, ' ');

describe('pageQuery', () => {
  it('turns every key round when descending, the id too', () => {
    expect(flat(pageQuery(listing, page))).toContain('ORDER BY key0 ASC, key1 ASC, id ASC LIMIT 20 OFFSET 40');
    const down = flat(pageQuery(listing, { ...page, descending: true }));
    expect(down).toContain('ORDER BY key0 DESC, key1 DESC, id DESC LIMIT');
  });

  it('runs a search once, and leaves what is not searched to the indexes', () => {
    expect(pageQuery(listing, page)).toContain('hit AS NOT MATERIALIZED');
    expect(pageQuery(listing, { ...page, pattern: '%x%' })).toContain('hit AS MATERIALIZED');
  });
});

describe('listed', () => {
  it('separates rows and total', () => {
    const rows = [{ id: 'a', total: 7 }];
    expect(listed(rows)).toEqual({ rows, total: 7 });
    expect(listed([{ id: null, total: 7 }])).toEqual({ rows: [], total: 7 });
  });
});
