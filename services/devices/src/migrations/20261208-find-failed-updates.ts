import { createIndex, OnlineMigration } from '@warren/platform/database/online';
import type { QueryRunner } from 'typeorm';

/** Finds the updates of a device, and those that failed of all: alerts ask for them all the time. */
export class FindFailedUpdates1796763600000 extends OnlineMigration {
  async up(runner: QueryRunner): Promise<void> {
    await createIndex(runner, 'rollout_devices_of_device', 'ON rollout_devices (device_id, since)');
    await createIndex(runner, 'rollout_devices_failed', `ON rollout_devices (device_id) WHERE state = 'failed'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS rollout_devices_failed');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS rollout_devices_of_device');
  }
}
