import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the local address of a device's web service. */
export class PlaceWebPages1795294800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE devices ADD COLUMN http_ip text NOT NULL DEFAULT '127.0.0.1'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE devices DROP COLUMN http_ip');
  }
}
