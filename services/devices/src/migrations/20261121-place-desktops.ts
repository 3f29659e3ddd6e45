import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the local address of a device's VNC server. */
export class PlaceDesktops1795302000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE devices
      ADD COLUMN vnc_ip text NOT NULL DEFAULT '127.0.0.1',
      ADD COLUMN vnc_port integer NOT NULL DEFAULT 5900 CHECK (vnc_port BETWEEN 1 AND 65535)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE devices DROP COLUMN vnc_ip, DROP COLUMN vnc_port');
  }
}
