import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Checks the sources of grants of before: the constraint was added without a look at them, so that it locked nobody out. */
export class ValidateGrants1798750800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE grants VALIDATE CONSTRAINT grants_source_check');
  }

  async down(): Promise<void> {
    // A constraint can't be made unknown again, and older versions wrote no other sources.
  }
}
