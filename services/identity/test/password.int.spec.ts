import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withClient } from '@warren/infra/provision';
import { createTestDatabase, type TestDatabase } from '@warren/infra/test-database';
import { migrate } from '@warren/platform/database/migrate';
import { identityConfig } from '../src/config.ts';
import { databaseOptions } from '../src/database.ts';

let database: TestDatabase;
let first: string;
let second: string;
let secondUrl: string;

beforeAll(async () => {
  database = await createTestDatabase('identity');
  const url = new URL(database.url);
  first = url.username;
  second = `${first}_2`;
  url.username = second;
  url.password = 'new';
  secondUrl = url.href;
});
afterAll(async () => {
  await database.drop();
  await withClient(process.env['TEST_DATABASE_URL'] ?? '', (client) => client.query(`DROP ROLE IF EXISTS ${second}`));
});

const options = (url: string) =>
  databaseOptions(
    identityConfig.parse({ NODE_ENV: 'test', DATABASE_URL: url, NATS_URL: 'nats://a', REDIS_URL: 'redis://a' }),
  );
const value = (url: string, sql: string) =>
  withClient(url, async (client) => Object.values((await client.query(sql)).rows[0] ?? {})[0]);

// docs/operations/rotate-secrets.md, "PostgreSQL password": the same statements.
describe('a database password that changes without a moment in between', () => {
  it('is that of a second role, which acts as the first', async () => {
    const [, name = ''] = /\/(\w+)$/.exec(new URL(database.url).pathname) ?? [];
    await withClient(database.adminUrl, async (client) => {
      await client.query(`CREATE ROLE ${second} LOGIN PASSWORD 'new' IN ROLE ${first}`);
      await client.query(`ALTER ROLE ${second} IN DATABASE ${name} SET role = ${first}`);
      await client.query(`ALTER ROLE ${second} IN DATABASE ${name} SET search_path = identity, public`);
    });
    await expect(value(secondUrl, 'SELECT session_user || current_user')).resolves.toBe(second + first);
  });

  it('runs the migrations, whose tables belong to the first', async () => {
    await expect(migrate(options(secondUrl))).resolves.not.toHaveLength(0);
    const strangers = `SELECT count(*)::int FROM pg_tables WHERE schemaname = 'identity' AND tableowner <> '${first}'`;
    await expect(value(secondUrl, strangers)).resolves.toBe(0);
    await expect(value(database.url, 'SELECT count(*)::int FROM audit')).resolves.toBe(0);
  });

  it('stays when the first has none any more', async () => {
    await withClient(database.adminUrl, (client) => client.query(`ALTER ROLE ${first} PASSWORD NULL`));
    await expect(value(database.url, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
    await expect(value(secondUrl, 'SELECT count(*)::int FROM audit')).resolves.toBe(0);
  });
});
