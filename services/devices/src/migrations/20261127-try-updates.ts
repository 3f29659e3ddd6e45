import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE rollout_devices
    -- When its trial began, as this hub counts it.
    ADD COLUMN tried timestamptz,
    -- How often the version crashed there, or its link broke; of a device that failed by that.
    ADD COLUMN crashes integer NOT NULL DEFAULT 0`,
  `CREATE INDEX rollout_devices_first_day ON rollout_devices (tried) WHERE state IN ('updating', 'updated')`,
  `CREATE INDEX rollout_devices_by_time ON rollout_devices (since)`,
];

/** Devices of rollouts that are on trial, and that flap. */
export class TryUpdates1795816800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX rollout_devices_by_time');
    await runner.query('DROP INDEX rollout_devices_first_day');
    await runner.query('ALTER TABLE rollout_devices DROP COLUMN tried, DROP COLUMN crashes');
  }
}
