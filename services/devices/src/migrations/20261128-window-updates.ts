import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE update_windows (
    account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    -- ISO 8601: 1 is Monday.
    days smallint[] NOT NULL,
    from_time text NOT NULL,
    to_time text NOT NULL,
    time_zone text NOT NULL
  )`,
  `ALTER TABLE rollout_devices
    -- Bytes of the package that the device has, and when they became more.
    ADD COLUMN downloaded bigint NOT NULL DEFAULT 0,
    ADD COLUMN progressed timestamptz`,
];

/** When the devices of an account may be updated, and how far their downloads are. */
export class WindowUpdates1795903200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rollout_devices DROP COLUMN downloaded, DROP COLUMN progressed');
    await runner.query('DROP TABLE update_windows');
  }
}
