import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@warren/infra/test-database';
import { until } from '@warren/infra/until';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import type { DatabaseOptions } from '../src/database/database.options.ts';
import { migrate } from '../src/database/migrate.ts';
import { createIndex, inBatches, OnlineMigration } from '../src/database/online.ts';

type Migration = DatabaseOptions['migrations'][number];

class MakeRows1000000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE parts (id integer PRIMARY KEY, name text, twin integer)');
    await runner.query(`INSERT INTO parts SELECT n, 'part ' || n FROM generate_series(1, 20000) n`);
  }

  async down(): Promise<void> {}
}

class AddColumn1000000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE parts ADD colour text');
  }

  async down(): Promise<void> {}
}

class FillTwins1000000000003 extends OnlineMigration {
  async up(runner: QueryRunner): Promise<void> {
    await inBatches(
      runner,
      { table: 'parts', size: 3_000 },
      'UPDATE parts SET twin = id WHERE id BETWEEN $1 AND $2 AND twin IS NULL',
    );
    await createIndex(runner, 'parts_by_twin', 'ON parts (twin)', { unique: true });
  }

  async down(): Promise<void> {}
}

describe('migrations', () => {
  let database: TestDatabase;
  let source: DataSource;
  let said: string[] = [];
  const run = (migrations: Migration[], patienceMs = 30_000) =>
    migrate(
      { name: 'migrate', url: database.url, pool: 2, entities: [], migrations },
      { patienceMs, firstPauseMs: 20, log: (text) => said.push(text) },
    );

  beforeAll(async () => {
    database = await createTestDatabase('migrate');
    source = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  });
  beforeEach(async () => {
    said = [];
    await run([MakeRows1000000000001]);
  });
  afterEach(async () => {
    await source.query('DROP TABLE parts, migrations');
  });
  afterAll(async () => {
    await source?.destroy();
    await database?.drop();
  });

  it('run once, in their order, and say which ran', async () => {
    const all = [MakeRows1000000000001, AddColumn1000000000002, FillTwins1000000000003];
    expect(await run(all)).toEqual(['AddColumn1000000000002', 'FillTwins1000000000003']);
    expect(await run(all)).toEqual([]);
  });

  /** Reads the table in a transaction that stays open until `during` is done. */
  async function whileRead(during: () => Promise<unknown>): Promise<void> {
    const reader = source.createQueryRunner();
    await reader.startTransaction();
    try {
      await reader.query('SELECT count(*) FROM parts');
      await during();
    } finally {
      await reader.commitTransaction();
      await reader.release();
    }
  }

  it('do not block readers behind a transaction that keeps its table, and run when it has ended', async () => {
    let migrated: Promise<string[]> | undefined;
    await whileRead(async () => {
      migrated = run([MakeRows1000000000001, AddColumn1000000000002]);
      const waits = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE parts%'`;
      await until(async () => (await source.query(waits)).length > 0);
      // Queued behind the ALTER, which gives up.
      await source.query('SELECT count(*) FROM parts');
      await until(() => said.some((text) => text.startsWith('A table is in use; trying again')));
    });
    expect(await migrated).toEqual(['AddColumn1000000000002']);
  });

  it('fail when a table stays in use, and those before stay', async () => {
    await whileRead(() =>
      expect(run([MakeRows1000000000001, AddColumn1000000000002], 0)).rejects.toMatchObject({
        driverError: { code: '55P03' },
      }),
    );
    expect(await source.query('SELECT name FROM migrations')).toHaveLength(1);
    expect(await run([MakeRows1000000000001, AddColumn1000000000002])).toEqual(['AddColumn1000000000002']);
  });

  it('rebuild an index that a crash left unfinished', async () => {
    await source.query('UPDATE parts SET twin = 7');
    await expect(run([MakeRows1000000000001, FillTwins1000000000003])).rejects.toMatchObject({
      driverError: { code: '23505' },
    });
    const valid = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'parts_by_twin'::regclass`;
    expect(await source.query(valid)).toEqual([{ valid: false }]);
    await source.query('UPDATE parts SET twin = NULL');
    await run([MakeRows1000000000001, FillTwins1000000000003]);
    expect(await source.query(valid)).toEqual([{ valid: true }]);
    expect(await source.query('SELECT count(*)::int AS left FROM parts WHERE twin IS NULL')).toEqual([{ left: 0 }]);
  });

  it('take longer than the services’ statements may, and than the role may', async () => {
    await source.query(`ALTER ROLE CURRENT_USER SET statement_timeout = '10s'`);
    class Slow1000000000004 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        const [row] = await runner.query('SHOW statement_timeout');
        expect(row).toEqual({ statement_timeout: '0' });
      }

      async down(): Promise<void> {}
    }
    expect(await run([MakeRows1000000000001, Slow1000000000004])).toEqual(['Slow1000000000004']);
    await source.query('ALTER ROLE CURRENT_USER RESET statement_timeout');
  });

  it('of two processes are serialised', async () => {
    const all = [MakeRows1000000000001, AddColumn1000000000002, FillTwins1000000000003];
    const ran = await Promise.all([run(all), run(all)]);
    expect(ran.map(({ length }) => length).toSorted()).toEqual([0, 2]);
  });
});
