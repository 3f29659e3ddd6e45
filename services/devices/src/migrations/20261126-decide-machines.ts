import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  // Serials of devices that enrolled before may be those of hardware that is gone: agents did not report a change.
  'ALTER TABLE devices ADD serial_confirmed boolean NOT NULL DEFAULT false',
  'ALTER TABLE devices ALTER serial_confirmed SET DEFAULT true',
  'ALTER TABLE devices ADD key_shared boolean NOT NULL DEFAULT false',
  `CREATE TABLE device_machines (
    device_id uuid NOT NULL REFERENCES devices ON DELETE CASCADE,
    serial text NOT NULL,
    model text NOT NULL,
    public_ip text NOT NULL,
    first_seen timestamptz NOT NULL DEFAULT now(),
    last_seen timestamptz NOT NULL DEFAULT now(),
    separate_since timestamptz,
    decided_by text NOT NULL DEFAULT '',
    separated_id uuid REFERENCES devices ON DELETE CASCADE,
    PRIMARY KEY (device_id, serial)
  )`,
  'CREATE INDEX device_machines_separated ON device_machines (separated_id) WHERE separated_id IS NOT NULL',
];

/** Keeps the machines that dial with the key of a device and have another serial, until a person decides about them. */
export class DecideMachines1795730400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE device_machines');
    await runner.query('ALTER TABLE devices DROP serial_confirmed, DROP key_shared');
  }
}
