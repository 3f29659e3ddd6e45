import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What accounts use, by hours in UTC. It refers to no row of `accounts`: the last bill of an account that was deleted needs it. Each row
 * of the present hour changes every minute, so pages keep room for the next version of their rows.
 */
export class StoreUsage1795987800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE usage_hours (
      account_id uuid NOT NULL,
      hour timestamptz NOT NULL,
      kind text NOT NULL,
      open_ms bigint NOT NULL,
      opened bigint NOT NULL,
      bytes_to_device bigint NOT NULL,
      bytes_from_device bigint NOT NULL,
      PRIMARY KEY (account_id, hour, kind)
    ) WITH (fillfactor = 80)`);
    await runner.query('CREATE INDEX usage_hours_hour ON usage_hours (hour)');
    await runner.query(`CREATE TABLE usage_reports (
      id uuid PRIMARY KEY,
      received timestamptz NOT NULL DEFAULT now()
    )`);
    await runner.query('CREATE INDEX usage_reports_received ON usage_reports (received)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE usage_reports');
    await runner.query('DROP TABLE usage_hours');
  }
}
