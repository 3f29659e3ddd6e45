import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The name of the service account that a token is of; empty for a token of a user. */
export class NameServiceAccounts1797724800000 implements MigrationInterface {
  readonly name = 'NameServiceAccounts1797724800000';

  async up(runner: QueryRunner): Promise<void> {
    // With a constant default no row is written.
    await runner.query(`ALTER TABLE api_tokens ADD COLUMN service_account text NOT NULL DEFAULT ''`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM api_tokens WHERE service_account <> ''`);
    await runner.query('ALTER TABLE api_tokens DROP COLUMN service_account');
  }
}
