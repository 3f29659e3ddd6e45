import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IGNORED, startPgBouncer, urlAt } from '@warren/infra/pgbouncer';
import type { Server } from '@warren/infra/server';
import { createTestDatabase, type TestDatabase } from '@warren/infra/test-database';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../src/database/database.options.ts';
import { prepared } from '../src/database/prepared.ts';
import { migrate } from '../src/database/migrate.ts';

describe('a service behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: Server;
  let source: DataSource;
  const optionsOf = (url: string) => ({ name: 'pooled', url, pool: 10, entities: [], migrations: [] });

  beforeAll(async () => {
    database = await createTestDatabase('pooled');
    await migrate(optionsOf(database.url));
    pooler = await startPgBouncer(database.adminUrl);
    source = await new DataSource(dataSourceOptions(optionsOf(urlAt(pooler, database.url)))).initialize();
  });
  afterAll(async () => {
    await source?.destroy();
    await pooler?.stop();
    await database?.drop();
  });

  it('has its schema and its time limits on each connection', async () => {
    const asked = `SELECT current_schema() AS schema, current_setting('statement_timeout') AS statement,
                          current_setting('idle_in_transaction_session_timeout') AS idle, pg_backend_pid() AS pid`;
    const rows = await Promise.all(Array.from({ length: 40 }, () => source.query(asked)));
    const states = rows.flat().map(({ pid: _pid, ...state }) => state);
    expect(new Set(states.map((state) => JSON.stringify(state)))).toEqual(
      new Set([JSON.stringify({ schema: 'pooled', statement: '10s', idle: '30s' })]),
    );
  });

  it('keeps the locks of a transaction until its end, and no longer', async () => {
    const order: string[] = [];
    const work = (name: string) =>
      source.transaction(async (manager) => {
        await manager.query('SELECT pg_advisory_xact_lock(7)');
        order.push(`${name} begins`);
        await manager.query('SELECT pg_sleep(0.05)');
        order.push(`${name} ends`);
      });
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(work));
    for (let index = 0; index < order.length; index += 2)
      expect(order[index + 1]).toBe(order[index]?.replace('begins', 'ends'));
  });

  it('prepares statements only on connections to PostgreSQL itself', async () => {
    const sql = prepared('SELECT $1::int + 1 AS n');
    const direct = new DataSource(dataSourceOptions({ ...optionsOf(database.url), pool: 1 }));
    const kept = `SELECT statement FROM pg_prepared_statements WHERE name LIKE 'warren%'`;
    try {
      await direct.initialize();
      for (const n of [1, 2]) expect(await direct.query(sql, [n])).toEqual([{ n: n + 1 }]);
      expect(await direct.query(kept)).toEqual([{ statement: sql }]);
    } finally {
      await direct.destroy();
    }
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => source.query(sql, [n])));
    expect(answers.flat()).toEqual(answers.map((_, n) => ({ n: n + 1 })));
    expect(await source.query(kept)).toEqual([]);
  });

  it('does not migrate through it, also if it ignores the request', async () => {
    const lax = await startPgBouncer(database.adminUrl, { ignores: [...IGNORED, 'options'] });
    for (const at of [pooler, lax]) {
      const pooled = migrate(optionsOf(urlAt(at, database.url)));
      const expected = `expected the address of PostgreSQL itself for migrations; 127.0.0.1:${at.port} is a pooler`;
      await expect(pooled).rejects.toThrow(expected);
    }
    await lax.stop();
  });
});
