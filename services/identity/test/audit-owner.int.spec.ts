import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { protectAudit } from '@warren/infra/audit-owner';
import { provision, withClient } from '@warren/infra/provision';
import { createTestDatabase, type TestDatabase } from '@warren/infra/test-database';
import { migrate } from '@warren/platform/database/migrate';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identityConfig } from '../src/config.ts';
import { databaseOptions } from '../src/database.ts';

const run = (url: string, sql: string) =>
  withClient(url, async (client) => (await client.query(sql)).rows as unknown[]);
const insert = (actor: string) => `
  INSERT INTO audit (id, action, actor, detail, remote_address, user_agent)
  VALUES ('${randomUUID()}', 'sign_in', '${actor}', '', '', '') ON CONFLICT (id) DO NOTHING`;

const options = (url: string) =>
  databaseOptions(
    identityConfig.parse({ NODE_ENV: 'test', DATABASE_URL: url, NATS_URL: 'nats://a', REDIS_URL: 'redis://a' }),
  );

/** A database as 0.1.0 leaves it, with an event in its trail. */
async function databaseOfBefore(): Promise<TestDatabase> {
  const database = await createTestDatabase('identity');
  await migrate(options(database.url));
  await run(database.url, insert('before'));
  return database;
}

/** The statements that the documentation gives to administrators, for the roles of a database of the tests. */
async function documented({ url }: TestDatabase): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '../../../docs/operations/credentials.md'), 'utf8');
  const [, sql = ''] = /```sql\n(CREATE ROLE warren_identity_audit [^]*?)```/.exec(page) ?? [];
  return sql.replaceAll('warren_identity', new URL(url).username);
}

const ways: [string, (database: TestDatabase) => Promise<unknown>][] = [
  ['by the migrations with an administrator', (database) => database.protectAudit()],
  ['by hand, as documented', async (database) => run(database.adminUrl, await documented(database))],
];

describe.each(ways)('the audit trail, protected %s', (_way, protect) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await databaseOfBefore();
    await protect(database);
  });
  afterAll(() => database?.drop());

  const actors = () => run(database.url, 'SELECT actor FROM audit ORDER BY time, id');

  it('keeps what it had, and takes more, by the names that 0.1.0 uses', async () => {
    await run(database.url, insert('after'));
    expect(await actors()).toEqual([{ actor: 'before' }, { actor: 'after' }]);
  });

  it.each([
    'UPDATE audit SET actor = $$x$$',
    'DELETE FROM audit',
    'TRUNCATE audit.audit',
    'DROP TABLE audit.audit CASCADE',
    'DROP SCHEMA audit CASCADE',
    'ALTER TABLE audit.audit DISABLE TRIGGER ALL',
    'DROP TRIGGER audit_only_grows ON audit.audit',
    'ALTER TABLE audit.audit RENAME TO other',
    'CREATE OR REPLACE FUNCTION audit.audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    'CREATE TABLE audit.other ()',
    'CREATE RULE none AS ON INSERT TO audit.audit DO INSTEAD NOTHING',
    'GRANT DELETE ON audit.audit TO CURRENT_USER; DELETE FROM audit.audit',
    'SET session_replication_role = replica',
  ])('refuses its service: %s', async (sql) => {
    await expect(run(database.url, sql)).rejects.toThrow(/permission denied|must be owner|not a table/);
  });

  it('does not let its service become the owner, who signs in nowhere', async () => {
    const owner = `${new URL(database.url).username}_audit`;
    await expect(run(database.url, `SET ROLE ${owner}`)).rejects.toThrow('permission denied');
    await expect(run(database.url, `GRANT ${owner} TO CURRENT_USER`)).rejects.toThrow(
      /must have admin|permission denied/,
    );
    const [role] = await run(database.adminUrl, `SELECT rolcanlogin FROM pg_roles WHERE rolname = '${owner}'`);
    expect(role).toEqual({ rolcanlogin: false });
  });

  it.each(['UPDATE audit.audit SET actor = $$x$$', 'DELETE FROM audit.audit', 'TRUNCATE audit.audit'])(
    'refuses even an administrator: %s',
    async (sql) => {
      await expect(run(database.adminUrl, sql)).rejects.toThrow('only grows');
    },
  );

  it('is protected again at the next upgrade, without a change', async () => {
    const events = await actors();
    await expect(database.protectAudit()).resolves.toBe(true);
    await run(database.adminUrl, `GRANT DELETE ON audit.audit TO ${new URL(database.url).username}`);
    await expect(database.protectAudit()).resolves.toBe(true);
    await expect(run(database.url, 'DELETE FROM audit.audit')).rejects.toThrow('permission denied');
    expect(await actors()).toEqual(events);
  });
});

describe('a table of identity in the place of the view', () => {
  it('is not taken for the trail', async () => {
    const database = await databaseOfBefore();
    try {
      await database.protectAudit();
      await run(database.url, 'DROP VIEW identity.audit; CREATE TABLE identity.audit (id uuid)');
      await expect(database.protectAudit()).rejects.toThrow('expected the view');
      expect(await run(database.adminUrl, 'SELECT actor FROM audit.audit')).toEqual([{ actor: 'before' }]);
    } finally {
      await database.drop();
    }
  });
});

describe('an administrator who may not make roles', () => {
  it('leaves the trail as it was', async () => {
    const database = await databaseOfBefore();
    try {
      const url = new URL(database.url);
      await expect(protectAudit(database.url, url.pathname.slice(1))).resolves.toBe(false);
      await run(database.url, insert('after'));
      await expect(run(database.url, 'DELETE FROM audit')).rejects.toThrow('only grows');
    } finally {
      await database.drop();
    }
  });
});

describe('an administrator of a managed server, who is no superuser', () => {
  it('makes the roles, runs the migrations and protects the trail', async () => {
    const server = process.env['TEST_DATABASE_URL'] ?? '';
    const name = `managed_${randomUUID().replaceAll('-', '')}`;
    await run(server, `CREATE ROLE ${name} LOGIN PASSWORD 'secret' CREATEROLE CREATEDB`);
    const admin = new URL(server);
    admin.username = name;
    admin.password = 'secret';
    const role = `${name}_identity`;
    try {
      const what = { adminUrl: admin.href, database: name, services: ['identity'], role: () => role };
      for (let upgrade = 0; upgrade < 2; upgrade++) {
        const { identity: url = '' } = await provision(what);
        await migrate(options(url));
        await expect(protectAudit(admin.href, name)).resolves.toBe(true);
        await run(url, insert('ada'));
        await expect(run(url, 'DROP TABLE audit.audit')).rejects.toThrow('must be owner');
      }
    } finally {
      await run(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await run(server, `DROP ROLE IF EXISTS ${role}, ${role}_audit, ${name}`);
    }
  });
});
