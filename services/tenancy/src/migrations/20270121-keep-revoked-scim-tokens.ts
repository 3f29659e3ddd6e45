import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE revoked_scim_tokens (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    name text NOT NULL,
    hash text NOT NULL UNIQUE,
    revoked timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX revoked_scim_tokens_of_account ON revoked_scim_tokens (account_id, revoked)`,
];

/** The last revoked SCIM tokens of each account, to recognise their use. A separate table, because the previous version deletes tokens. */
export class KeepRevokedScimTokens1800529200000 implements MigrationInterface {
  readonly name = 'KeepRevokedScimTokens1800529200000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE revoked_scim_tokens');
  }
}
