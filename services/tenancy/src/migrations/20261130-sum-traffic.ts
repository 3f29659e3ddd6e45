import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The bytes of each account by months in UTC, for its quota of traffic: what is asked with each call of the API must not be summed up from
 * the hours each time. Version 0.1.0 and before store no usage, so the hours of this month are few.
 */
export class SumTraffic1796083200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE usage_months (
      account_id uuid NOT NULL,
      month date NOT NULL,
      bytes bigint NOT NULL,
      PRIMARY KEY (account_id, month)
    ) WITH (fillfactor = 80)`);
    await runner.query(`INSERT INTO usage_months (account_id, month, bytes)
      SELECT account_id, date_trunc('month', hour AT TIME ZONE 'UTC')::date, sum(bytes_to_device + bytes_from_device)
      FROM usage_hours WHERE hour >= date_trunc('month', now(), 'UTC') GROUP BY 1, 2`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE usage_months');
  }
}
