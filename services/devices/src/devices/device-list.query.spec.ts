import { describe, expect, it } from '@jest/globals';
import { DeviceSort } from '@warren/proto/devices/v1/devices';
import { listQuery } from './device-list.query.ts';

const query = (init: Partial<Parameters<typeof listQuery>[0]>) =>
  listQuery({
    accountId: undefined,
    pattern: undefined,
    sort: DeviceSort.STATUS,
    descending: false,
    limit: 50,
    offset: 0,
    ...init,
  });

describe('listQuery', () => {
  it('turns every key round when descending', () => {
    expect(query({}).sql).toContain('ORDER BY key0 DESC, key1 ASC, key2 ASC LIMIT');
    expect(query({ descending: true }).sql).toContain('ORDER BY key0 ASC, key1 DESC, key2 DESC LIMIT');
  });

  it('passes what people typed as parameters only', () => {
    const { sql, values } = query({ accountId: 'a', pattern: `%'; DROP TABLE devices;%` });
    expect(values).toEqual(['a', `%'; DROP TABLE devices;%`]);
    expect(sql).toContain('WHERE d.account_id = $1 AND d.search_text LIKE $2');
    expect(sql).not.toContain('DROP');
  });

  it('puts the parameters of a filter first', () => {
    const condition = { sql: '(d.os = $1)', usesFacts: true, values: ['x'] };
    const { sql, values } = query({ accountId: 'a', condition });
    expect(values).toEqual(['x', 'a']);
    expect(sql).toContain('WHERE d.account_id = $2 AND (d.os = $1)');
    expect(sql).toContain('AS MATERIALIZED');
  });

  it('sorts unknown values of usage behind all others when the largest come first', () => {
    expect(query({ sort: DeviceSort.CPU, descending: true }).sql).toContain('key0 DESC NULLS LAST');
    expect(query({ sort: DeviceSort.CPU }).sql).toContain('key0 ASC NULLS FIRST');
  });

  it('sorts by status when asked for a sort that it does not know', () => {
    expect(query({ sort: 99 as DeviceSort }).sql).toContain('ORDER BY key0 DESC, key1 ASC, key2 ASC LIMIT');
  });
});
