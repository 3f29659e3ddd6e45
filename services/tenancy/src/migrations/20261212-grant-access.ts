import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  // With a constant default no row is written.
  `ALTER TABLE accounts ADD COLUMN explicit_grants boolean NOT NULL DEFAULT false`,
  `CREATE TABLE grants (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    user_id uuid REFERENCES users ON DELETE CASCADE,
    group_id uuid REFERENCES groups ON DELETE CASCADE,
    permissions text[] NOT NULL,
    filter text NOT NULL,
    note text NOT NULL,
    source text NOT NULL DEFAULT 'administrator' CHECK (source IN ('administrator')),
    expires timestamptz,
    created timestamptz NOT NULL DEFAULT now(),
    created_by text NOT NULL,
    CHECK (user_id IS NULL OR group_id IS NULL)
  )`,
  `CREATE INDEX grants_of_account ON grants (account_id)`,
  `CREATE INDEX grants_of_user ON grants (user_id) WHERE user_id IS NOT NULL`,
  `CREATE INDEX grants_of_group ON grants (group_id) WHERE group_id IS NOT NULL`,
  `CREATE INDEX grants_by_expiry ON grants (expires) WHERE expires IS NOT NULL`,
];

/** Grants: what people may do with devices besides what their role gives, and whether the role Member gives anything. */
export class GrantAccess1797109200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE grants');
    await runner.query('ALTER TABLE accounts DROP COLUMN explicit_grants');
  }
}
