import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Streams of audit events to receivers, and how far each has come in the chain of each account. */
export class StreamEvents1797022800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE streams (
      id uuid PRIMARY KEY,
      -- Null: events of all accounts and of the installation.
      account_id uuid,
      name text NOT NULL,
      kind text NOT NULL,
      url bytea NOT NULL,
      url_shown text NOT NULL,
      secret bytea,
      ca text NOT NULL,
      actions text[] NOT NULL,
      outcomes smallint[] NOT NULL,
      enabled boolean NOT NULL,
      version integer NOT NULL DEFAULT 1,
      created timestamptz NOT NULL DEFAULT now(),
      next_at timestamptz NOT NULL DEFAULT now(),
      failures integer NOT NULL DEFAULT 0,
      failing_since timestamptz,
      last_error text NOT NULL DEFAULT '',
      last_delivery timestamptz,
      delivered bigint NOT NULL DEFAULT 0,
      skipped bigint NOT NULL DEFAULT 0,
      last_gap timestamptz,
      tested timestamptz,
      claimed_by uuid,
      claimed_until timestamptz
    )`);
    await runner.query(
      `CREATE UNIQUE INDEX streams_name ON streams (coalesce(account_id, '00000000-0000-0000-0000-000000000000'), lower(name))`,
    );
    await runner.query(`CREATE TABLE stream_positions (
      stream_id uuid NOT NULL REFERENCES streams ON DELETE CASCADE,
      account_id uuid NOT NULL,
      sequence bigint NOT NULL,
      PRIMARY KEY (stream_id, account_id)
    )`);
    // Changes of settings in an hour, by account.
    await runner.query(
      'CREATE TABLE stream_changes (account_id uuid PRIMARY KEY, hour timestamptz NOT NULL, changes integer NOT NULL, receivers integer NOT NULL)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE stream_changes, stream_positions, streams');
  }
}
