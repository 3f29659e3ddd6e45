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
    expect(query({}).sql).toContain('ORDER BY connected DESC, sort_name ASC, id ASC LIMIT');
    expect(query({ descending: true }).sql).toContain('ORDER BY connected ASC, sort_name DESC, id DESC LIMIT');
  });

  it('passes what people typed as parameters only', () => {
    const { sql, values } = query({ accountId: 'a', pattern: `%'; DROP TABLE devices;%` });
    expect(values).toEqual(['a', `%'; DROP TABLE devices;%`]);
    expect(sql).toContain('WHERE account_id = $1 AND search_text LIKE $2');
    expect(sql).not.toContain('DROP');
  });

  it('sorts by status when asked for a sort that it does not know', () => {
    expect(query({ sort: 99 as DeviceSort }).sql).toContain('ORDER BY connected DESC, sort_name ASC, id ASC LIMIT');
  });
});
