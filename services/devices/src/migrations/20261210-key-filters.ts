import { createIndex, inBatches, OnlineMigration } from '@warren/platform/database/online';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the key of saved filters of an account, by which others name them. What 0.1 saves has none. */
export class KeyFilters1796936400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE saved_filters ADD COLUMN key text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE saved_filters DROP COLUMN key');
  }
}

// A name with other letters gets its key when the filter is saved next: how they are lower-cased depends on the database.
const FILL = `
  UPDATE saved_filters f SET key = CASE WHEN n.place = 1 THEN n.base ELSE n.base || '-' || right(f.id::text, 8) END
  FROM (
    SELECT id, base, row_number() OVER (PARTITION BY account_id, base ORDER BY id) AS place
    FROM (
      SELECT id, account_id, trim(BOTH '-' FROM left(trim(BOTH '-' FROM regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g')), 39)) AS base
      FROM saved_filters WHERE user_id IS NULL AND name ~ '^[ -~]+$'
    ) named WHERE base <> ''
  ) n
  WHERE n.id = f.id AND f.key IS NULL AND f.id BETWEEN $1 AND $2`;

/** Makes keys of the names of saved filters that are there. */
export class FillFilterKeys1796936460000 extends OnlineMigration {
  async up(runner: QueryRunner): Promise<void> {
    await inBatches(runner, { table: 'saved_filters' }, FILL);
    await createIndex(runner, 'saved_filters_by_key', 'ON saved_filters (key, account_id)', { unique: true });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS saved_filters_by_key');
  }
}
