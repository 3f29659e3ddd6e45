import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  // No reference to devices: what happened outlives the device that it happened to.
  `CREATE TABLE device_history (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    account_id uuid NOT NULL,
    device_id uuid NOT NULL,
    kind smallint NOT NULL,
    device_name text NOT NULL,
    detail text NOT NULL DEFAULT '',
    actor text NOT NULL DEFAULT ''
  )`,
  'CREATE INDEX device_history_of_account ON device_history (account_id, at DESC, id DESC)',
  'CREATE INDEX device_history_of_device ON device_history (device_id, at DESC, id DESC)',
  'CREATE INDEX device_history_by_time ON device_history (at DESC, id DESC)',
  `CREATE TABLE device_counts (
    account_id uuid NOT NULL,
    at timestamptz NOT NULL,
    total integer NOT NULL,
    connected integer NOT NULL,
    PRIMARY KEY (account_id, at)
  )`,
  'CREATE INDEX device_counts_by_time ON device_counts (at)',
];

/** What happened to devices lately, and how many of each account were connected. */
export class KeepHistory1795303800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE device_counts');
    await runner.query('DROP TABLE device_history');
  }
}
