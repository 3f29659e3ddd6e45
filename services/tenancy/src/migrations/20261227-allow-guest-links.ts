import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether people of an account may make guest links. */
export class AllowGuestLinks1798405200000 implements MigrationInterface {
  readonly name = 'AllowGuestLinks1798405200000';

  async up(runner: QueryRunner): Promise<void> {
    // With a constant default no row is written, and replicas of the version before insert rows without it.
    await runner.query('ALTER TABLE access_rules ADD COLUMN guest_links boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE access_rules DROP COLUMN guest_links');
  }
}
