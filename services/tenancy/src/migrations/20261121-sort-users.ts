import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  // By name, then by e-mail. Compared by bytes, so the order depends on no locale's version, and an index alone gives a page.
  `ALTER TABLE users ADD COLUMN sort_key text COLLATE "C" NOT NULL
    GENERATED ALWAYS AS (left(lower(name), 200) || chr(10) || email) STORED`,
  `CREATE INDEX users_sorted ON users (sort_key, id)`,
  `CREATE INDEX users_of_account_sorted ON users (account_id, sort_key, id)`,
  `CREATE INDEX users_of_group_sorted ON users (group_id, sort_key, id) INCLUDE (account_id)`,
];

/** Keeps pages of users at hand, however many there are. */
export class SortUsers1795298400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN sort_key');
  }
}
