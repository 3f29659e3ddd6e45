import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Facts that filters compare and lists sort by, beside the value that has them all: a number of a row is read many times faster. */
export class CompareFacts1797109200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE device_facts ADD COLUMN fullest_disk_usage double precision, ADD COLUMN load double precision,
         ADD COLUMN clock_offset integer`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE device_facts DROP COLUMN fullest_disk_usage, DROP COLUMN load, DROP COLUMN clock_offset',
    );
  }
}
