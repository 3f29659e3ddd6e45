import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  // When the expressions of its account's rules were last evaluated for a device: by which rules, and up to which sample.
  `CREATE TABLE expression_looks (
    device_id uuid PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
    looked_at timestamptz NOT NULL,
    sampled_at timestamptz NOT NULL,
    rules text NOT NULL
  )`,
  // For which devices the expression of a rule held then.
  `CREATE TABLE expression_hits (
    rule_id uuid NOT NULL REFERENCES alert_rules ON DELETE CASCADE,
    device_id uuid NOT NULL REFERENCES expression_looks ON DELETE CASCADE,
    detail text NOT NULL,
    value double precision NOT NULL,
    PRIMARY KEY (rule_id, device_id)
  )`,
  'CREATE INDEX expression_hits_of_device ON expression_hits (device_id)',
];

/** What held of the expressions of alert rules. */
export class EvaluateExpressions1800478800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['expression_hits', 'expression_looks']) await runner.query(`DROP TABLE ${table}`);
  }
}
