import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds a device's temperature and the throttling of its firmware; null where it reports neither. */
export class TellHeat1795557600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE device_facts ADD temperature integer, ADD throttled integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE device_facts DROP temperature, DROP throttled');
  }
}
