import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds saved filters. Those without `user_id` are shared by their account. */
export class SaveFilters1796418000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE saved_filters (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        user_id uuid,
        name text NOT NULL,
        filter text NOT NULL,
        sort text NOT NULL,
        descending boolean NOT NULL,
        columns text[] NOT NULL
      )`,
    );
    await runner.query(
      'CREATE UNIQUE INDEX saved_filters_of_person ON saved_filters (user_id, lower(name)) WHERE user_id IS NOT NULL',
    );
    await runner.query(
      'CREATE UNIQUE INDEX saved_filters_of_account ON saved_filters (account_id, lower(name)) WHERE user_id IS NULL',
    );
    await runner.query('CREATE INDEX saved_filters_by_account ON saved_filters (account_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE saved_filters');
  }
}
