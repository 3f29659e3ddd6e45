import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The address of a user as the identity provider writes it; empty for one that was provisioned by an earlier version. */
export class KeepScimEmails1800615600000 implements MigrationInterface {
  readonly name = 'KeepScimEmails1800615600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE scim_users ADD COLUMN email text NOT NULL DEFAULT ''`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE scim_users DROP COLUMN email');
  }
}
