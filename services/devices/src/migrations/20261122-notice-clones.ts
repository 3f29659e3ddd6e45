import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Says when a second machine last dialled with a device's key. */
export class NoticeClones1795384800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE devices ADD COLUMN clone_seen timestamptz');
    await runner.query('CREATE INDEX devices_cloned ON devices (clone_seen) WHERE clone_seen IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE devices DROP COLUMN clone_seen');
  }
}
