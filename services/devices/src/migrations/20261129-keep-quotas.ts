import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The copy of what accounts have in place of the installation's quotas, by name; null is unlimited. */
export class KeepQuotas1795986000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE accounts ADD COLUMN quotas jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP COLUMN quotas');
  }
}
