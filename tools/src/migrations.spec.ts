import { describe, expect, it } from '@jest/globals';
import { inBatches, OnlineMigration } from '@warren/platform/database/online';
import type { QueryRunner } from 'typeorm';
import { canCheck, problemsOf } from './migrations.ts';

const migration = (statements: string[], transaction?: boolean) => ({
  ...(transaction !== undefined && { transaction }),
  up: async (runner: { query(statement: string): Promise<unknown> }) => {
    for (const statement of statements) await runner.query(statement);
  },
});

(canCheck ? describe : describe.skip)('the check of migrations', () => {
  it('accepts statements that take no blocking lock', async () => {
    const good = migration([
      'CREATE TABLE windows (id uuid PRIMARY KEY, account_id uuid NOT NULL REFERENCES accounts, days smallint[] NOT NULL)',
      'CREATE INDEX windows_of_account ON windows (account_id)',
      'ALTER TABLE devices ADD COLUMN retries integer NOT NULL DEFAULT 0',
      `ALTER TABLE devices ADD CONSTRAINT few CHECK (retries < 100) NOT VALID`,
    ]);
    expect(await problemsOf('good', good)).toBe('');
    const online = migration(
      ['UPDATE devices SET retries = 1', 'CREATE INDEX CONCURRENTLY devices_by_retries ON devices (retries)'],
      false,
    );
    expect(await problemsOf('online', online)).toBe('');
  });

  it('runs one batch of those that change rows', async () => {
    class Fill extends OnlineMigration {
      async up(runner: QueryRunner): Promise<void> {
        await inBatches(runner, { table: 'devices' }, 'ALTER TABLE devices DROP COLUMN retries');
      }
      async down(): Promise<void> {}
    }
    expect(await problemsOf('batches', new Fill() as never)).toContain('ban-drop-column');
  });

  it.each<[string, string]>([
    ['CREATE INDEX devices_by_retries ON devices (retries)', 'require-concurrent-index-creation'],
    ['ALTER TABLE devices ADD CONSTRAINT few CHECK (retries < 100)', 'constraint-missing-not-valid'],
    ['ALTER TABLE devices DROP COLUMN retries', 'ban-drop-column'],
    ['ALTER TABLE devices RENAME COLUMN retries TO tries', 'renaming-column'],
    ['ALTER TABLE devices ALTER COLUMN retries TYPE bigint', 'changing-column-type'],
    ['ALTER TABLE devices ALTER COLUMN retries SET NOT NULL', 'adding-not-nullable-field'],
  ])('refuses %s', async (statement, rule) => {
    expect(await problemsOf('bad', migration([statement]))).toContain(rule);
  });
});
