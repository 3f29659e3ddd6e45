import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Quotas that an account has in place of the installation's defaults, by name; null is unlimited. */
export class SetQuotas1795986000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE accounts ADD COLUMN quotas jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP COLUMN quotas');
  }
}
