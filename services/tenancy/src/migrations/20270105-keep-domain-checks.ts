import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an account last checked a domain, which outlives the domain's row. Only the last seconds matter. */
export class KeepDomainChecks1799182800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE domain_checks (
      account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
      name text NOT NULL,
      checked timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (account_id, name)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE domain_checks');
  }
}
