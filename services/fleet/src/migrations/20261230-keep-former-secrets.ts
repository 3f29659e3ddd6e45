import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replaced signing secrets of channels, which sign for a while beside the new ones. */
export class KeepFormerSecrets1798664400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE notification_channels ADD COLUMN former_secret bytea, ADD COLUMN former_until timestamptz',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notification_channels DROP COLUMN former_secret, DROP COLUMN former_until');
  }
}
