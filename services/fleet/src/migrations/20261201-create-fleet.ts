import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  // The latest sample of each device. Updated every minute: the free space lets updates stay in their page, without touching an index.
  `CREATE TABLE devices (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    sampled_at timestamptz,
    cpu real,
    load real,
    memory_used bigint,
    memory_total bigint,
    temperature smallint,
    round_trip real,
    throttled bigint,
    booted_at timestamptz,
    disks jsonb NOT NULL DEFAULT '[]'
  ) WITH (fillfactor = 60)`,
  'CREATE INDEX devices_of_account ON devices (account_id)',
  `CREATE TABLE boots (
    device_id uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (device_id, at)
  )`,
  'CREATE INDEX boots_by_time ON boots (at)',
  // Samples as they come, in the order of their coming. Made into chunks by the hour, and dropped.
  `CREATE TABLE incoming (
    device_id uuid NOT NULL,
    received timestamptz NOT NULL DEFAULT now(),
    data bytea NOT NULL
  ) PARTITION BY RANGE (received)`,
  'CREATE INDEX incoming_of_device ON incoming (device_id)',
  // An hour of samples of a device.
  `CREATE TABLE samples (
    device_id uuid NOT NULL,
    start timestamptz NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (device_id, start)
  ) PARTITION BY RANGE (start)`,
  // A day of a device in steps of 5 minutes.
  `CREATE TABLE five_minutes (
    device_id uuid NOT NULL,
    start timestamptz NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (device_id, start)
  ) PARTITION BY RANGE (start)`,
  // A month of a device in hours.
  `CREATE TABLE hours (
    device_id uuid NOT NULL,
    start timestamptz NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (device_id, start)
  ) PARTITION BY RANGE (start)`,
  // How far the summing up of a partition has got: the last device.
  `CREATE TABLE progress (
    partition text PRIMARY KEY,
    device_id uuid NOT NULL,
    done boolean NOT NULL DEFAULT false
  )`,
];

/** The history of devices' metrics. */
export class CreateFleet1796158800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['progress', 'hours', 'five_minutes', 'samples', 'incoming', 'boots', 'devices'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
