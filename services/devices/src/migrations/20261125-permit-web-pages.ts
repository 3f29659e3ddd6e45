import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the browser permissions of a device's web service: none until switched on. */
export class PermitWebPages1795644000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE devices ADD http_permissions text[] NOT NULL DEFAULT '{}' CHECK (http_permissions <@
        ARRAY['clipboard-read', 'camera', 'microphone', 'geolocation', 'top-navigation'])`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE devices DROP http_permissions');
  }
}
