import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps when the last backup succeeded, in one row. The scripts that make backups write it as an administrator. */
export class RecordBackups1795726800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE backups (
      singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
      since timestamptz NOT NULL DEFAULT now(),
      succeeded_at timestamptz
    )`);
    await runner.query(`INSERT INTO backups DEFAULT VALUES`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE backups`);
  }
}
