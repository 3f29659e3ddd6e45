import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How warm a device is and whether its firmware slows it down; null where it does not tell. */
export class TellHeat1795557600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE device_facts ADD temperature integer, ADD throttled integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE device_facts DROP temperature, DROP throttled');
  }
}
