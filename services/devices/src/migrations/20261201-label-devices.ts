import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds labels and notes. Labels are separate rows: a change of presence, which writes every index of `devices`, leaves theirs alone. */
export class LabelDevices1796158800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE device_labels (
        device_id uuid NOT NULL REFERENCES devices ON DELETE CASCADE,
        key text COLLATE "C" NOT NULL,
        value text COLLATE "C" NOT NULL,
        PRIMARY KEY (device_id, key)
      )`,
    );
    await runner.query('CREATE INDEX device_labels_by_value ON device_labels (key, value, device_id)');
    await runner.query(`ALTER TABLE enrolment_tokens ADD COLUMN labels jsonb NOT NULL DEFAULT '{}'`);
    await runner.query(`ALTER TABLE devices ADD COLUMN notes text NOT NULL DEFAULT ''`);
    // As filters compare them: without these the planner takes any LIKE for rare.
    await runner.query(
      `CREATE STATISTICS devices_reported ON (lower(os COLLATE "C")), (lower(model COLLATE "C")) FROM devices`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE enrolment_tokens DROP COLUMN labels');
    await runner.query('DROP STATISTICS devices_reported');
    await runner.query('ALTER TABLE devices DROP COLUMN notes');
    await runner.query('DROP TABLE device_labels');
  }
}
