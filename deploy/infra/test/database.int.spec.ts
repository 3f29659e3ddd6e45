import { describe, expect, it } from '@jest/globals';
import { startPostgres } from '../src/postgres.ts';
import { databaseServices, provision, withClient } from '../src/provision.ts';
import { createTestDatabase } from '../src/test-database.ts';

const adminUrl = process.env['TEST_DATABASE_URL'] ?? '';

const value = (url: string | undefined, sql: string) =>
  withClient(url ?? '', async (client) => Object.values((await client.query(sql)).rows[0] ?? {})[0]);

describe('provision', () => {
  it('may run twice, and a new password takes the place of the old', async () => {
    const what = { adminUrl, database: 'twice', services: databaseServices };
    const first = await provision(what);
    const second = await provision({ ...what, passwords: { tenancy: 'secret' } });
    expect(new URL(second['tenancy'] ?? '').password).toBe('secret');
    expect(await value(second['tenancy'], 'select current_user')).toBe('warren_tenancy');
    await expect(value(first['tenancy'], 'select 1')).rejects.toThrow(/password authentication failed/);
  });

  it('puts what a service makes in its own schema, closed to the others', async () => {
    const urls = await provision({ adminUrl, database: 'apart', services: databaseServices });
    await withClient(urls['devices'] ?? '', (client) => client.query('create table things as select 1 as n'));
    expect(await value(urls['devices'], "select 'things'::regclass::text || ' in ' || current_schema")).toBe(
      'things in devices',
    );
    await expect(value(urls['identity'], 'select n from devices.things')).rejects.toThrow(/permission denied/);
    await expect(
      withClient(urls['identity'] ?? '', (client) => client.query('create table public.things (n int)')),
    ).rejects.toThrow(/permission denied/);
    expect(await value(urls['identity'], "select similarity('warren', 'warren')")).toBe(1);
  });

  it('makes a database that holds any name, on a server whose own are for ASCII', async () => {
    const { url, stop } = await startPostgres();
    try {
      await value(
        url,
        "update pg_database set encoding = pg_char_to_encoding('SQL_ASCII') where datname = 'template1'",
      );
      const urls = await provision({ adminUrl: url, database: 'names', services: ['tenancy'] });
      expect(await value(urls['tenancy'], 'show server_encoding')).toBe('UTF8');
      expect(await value(urls['tenancy'], "select char_length('größe')")).toBe(5);
    } finally {
      await stop();
    }
  });

  it('refuses a name that would have to be quoted', async () => {
    await expect(provision({ adminUrl, services: ['a; drop'] })).rejects.toThrow("'a; drop'");
  });
});

describe('createTestDatabase', () => {
  it('gives each its own, gone after drop', async () => {
    const [one, two] = await Promise.all([createTestDatabase('devices'), createTestDatabase('devices')]);
    await withClient(one.url, (client) => client.query('create table only_here (n int)'));
    expect(await value(two.url, "select to_regclass('only_here')")).toBeNull();
    expect(await value(two.adminUrl, 'select current_user')).toBe('postgres');
    await Promise.all([one.drop(), two.drop()]);
    await expect(value(one.url, 'select 1')).rejects.toThrow();
    const roles = [one, two].map(({ url }) => `'${new URL(url).username}'`);
    const left = await value(adminUrl, `select count(*)::int from pg_roles where rolname in (${roles.join(', ')})`);
    expect(left).toBe(0);
  });
});
