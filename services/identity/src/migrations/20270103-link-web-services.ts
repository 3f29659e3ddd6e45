import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The web service that a guest link opens: its host's first label, and where it listens on the device; null for other purposes. */
export class LinkWebServices1799010000000 implements MigrationInterface {
  readonly name = 'LinkWebServices1799010000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE guest_links ADD COLUMN web_slug text, ADD COLUMN web_ip text, ADD COLUMN web_port integer',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE guest_links DROP COLUMN web_slug, DROP COLUMN web_ip, DROP COLUMN web_port');
  }
}
