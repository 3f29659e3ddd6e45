import { createIndex, OnlineMigration } from '@warren/platform/database/online';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const BY_MAKER = 'api_tokens_by_maker';

/** The token by which a token was made, which it ends with; null for one that a person made. */
export class NoteMakersOfTokens1799798400000 implements MigrationInterface {
  readonly name = 'NoteMakersOfTokens1799798400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_tokens ADD COLUMN made_by uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_tokens DROP COLUMN made_by');
  }
}

/** Finds the tokens that end with another. */
export class IndexMakersOfTokens1799798460000 extends OnlineMigration {
  async up(runner: QueryRunner): Promise<void> {
    await createIndex(runner, BY_MAKER, 'ON api_tokens (made_by) WHERE made_by IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${BY_MAKER}`);
  }
}
