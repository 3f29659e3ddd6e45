import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many days a detached terminal of an account's devices may be pinned. */
export class PinTerminals1799874000000 implements MigrationInterface {
  readonly name = 'PinTerminals1799874000000';

  async up(runner: QueryRunner): Promise<void> {
    // With a constant default no row is written, and replicas of the version before insert rows without it.
    await runner.query('ALTER TABLE access_rules ADD COLUMN terminal_pin_days smallint NOT NULL DEFAULT 7');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE access_rules DROP COLUMN terminal_pin_days');
  }
}
