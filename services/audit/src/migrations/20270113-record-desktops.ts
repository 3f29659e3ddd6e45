import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the desktops of an account are recorded, beside its terminals. */
export class RecordDesktops1799874000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE recording_settings ADD COLUMN desktops boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE recording_settings DROP COLUMN desktops');
  }
}
