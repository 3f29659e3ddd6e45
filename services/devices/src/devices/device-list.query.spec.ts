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
    expect(query({}).sql).toContain('ORDER BY d.connected DESC, d.sort_name ASC, d.id ASC LIMIT');
    expect(query({ descending: true }).sql).toContain('ORDER BY d.connected ASC, d.sort_name DESC, d.id DESC LIMIT');
  });

  it('passes what people typed as parameters only', () => {
    const { sql, values } = query({ accountId: 'a', pattern: `%'; DROP TABLE devices;%` });
    expect(values).toEqual(['a', `%'; DROP TABLE devices;%`]);
    expect(sql).toContain('WHERE d.account_id = $1 AND d.search_text LIKE $2');
    expect(sql).not.toContain('DROP');
  });

  it('puts the parameters of a filter first', () => {
    const condition = { sql: '(n.cpu = $1)', usesNarrow: true, usesDevices: false, usesFacts: true, values: ['x'] };
    const { sql, values } = query({ accountId: 'a', condition });
    expect(values).toEqual(['x', 'a']);
    expect(sql).toContain('FROM narrow_devices n WHERE n.account_id = $2 AND (n.cpu = $1)');
  });

  it('reads devices for a filter that searches, and narrow rows if it compares what they have', () => {
    const condition = { sql: '(d.serial = $1)', usesNarrow: false, usesDevices: true, usesFacts: false, values: ['x'] };
    expect(query({ condition }).sql).toContain('FROM devices d WHERE true AND (d.serial = $1)');
    const both = { ...condition, usesNarrow: true };
    expect(query({ condition: both }).sql).toContain('FROM narrow_devices n JOIN devices d ON d.id = n.id WHERE');
  });

  it('sorts unknown values of usage behind all others when the largest come first', () => {
    expect(query({ sort: DeviceSort.CPU, descending: true }).sql).toContain('n.cpu DESC NULLS LAST');
    expect(query({ sort: DeviceSort.CPU }).sql).toContain('n.cpu ASC NULLS FIRST');
  });

  it('sorts by status when asked for a sort that it does not know', () => {
    expect(query({ sort: 99 as DeviceSort }).sql).toContain(
      'ORDER BY d.connected DESC, d.sort_name ASC, d.id ASC LIMIT',
    );
  });
});
