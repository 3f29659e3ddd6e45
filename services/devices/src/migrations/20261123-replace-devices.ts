import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Remembers under which id a device was enrolled that took the place of its old entry: its agent still says that one. */
export class ReplaceDevices1795471200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE device_aliases (
        alias uuid PRIMARY KEY,
        device_id uuid NOT NULL REFERENCES devices ON DELETE CASCADE
      )`,
    );
    await runner.query('CREATE INDEX device_aliases_of ON device_aliases (device_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE device_aliases');
  }
}
