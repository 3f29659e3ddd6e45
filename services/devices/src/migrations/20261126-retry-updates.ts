import type { MigrationInterface, QueryRunner } from 'typeorm';

const states = (...more: string[]) =>
  ['updating', 'busy', 'updated', 'failed', 'returning', 'returned', 'newer', ...more]
    .map((state) => `'${state}'`)
    .join();

const UNDER_WAY = 'CREATE INDEX rollout_devices_under_way ON rollout_devices';

/** Keeps devices whose download failed apart from those whose version failed, and counts how often a device was retried. */
export class RetryUpdates1795734000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await checkStates(runner, states('download_failed'));
    await runner.query('ALTER TABLE rollout_devices ADD retries integer NOT NULL DEFAULT 0');
    await runner.query('DROP INDEX rollout_devices_under_way');
    await runner.query(`${UNDER_WAY} (device_id) WHERE state IN ('updating', 'busy', 'download_failed', 'returning')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE rollout_devices SET state = 'updating' WHERE state = 'download_failed'`);
    await checkStates(runner, states());
    await runner.query('ALTER TABLE rollout_devices DROP retries');
    await runner.query('DROP INDEX rollout_devices_under_way');
    await runner.query(`${UNDER_WAY} (device_id) WHERE state IN ('updating', 'busy', 'returning')`);
  }
}

async function checkStates(runner: QueryRunner, listed: string): Promise<void> {
  await runner.query('ALTER TABLE rollout_devices DROP CONSTRAINT rollout_devices_state_check');
  await runner.query(
    `ALTER TABLE rollout_devices ADD CONSTRAINT rollout_devices_state_check CHECK (state IN (${listed}))`,
  );
}
