import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the host name that a device's web server sees: its local name, or the public one. */
export class NameWebHosts1795381200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE devices ADD COLUMN http_host text NOT NULL DEFAULT 'local' CHECK (http_host IN ('local', 'public'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE devices DROP COLUMN http_host');
  }
}
