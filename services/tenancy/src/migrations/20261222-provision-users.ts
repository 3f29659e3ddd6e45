import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE scim_tokens (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    name text NOT NULL,
    hash text NOT NULL UNIQUE,
    hint text NOT NULL,
    created_by text NOT NULL,
    created timestamptz NOT NULL DEFAULT now(),
    expires timestamptz NOT NULL,
    used timestamptz,
    used_from text NOT NULL DEFAULT ''
  )`,
  `CREATE INDEX scim_tokens_of_account ON scim_tokens (account_id)`,
  `CREATE TABLE scim_users (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    user_name text NOT NULL,
    external_id text NOT NULL,
    given_name text NOT NULL,
    family_name text NOT NULL
  )`,
  `CREATE UNIQUE INDEX scim_users_name ON scim_users (account_id, lower(user_name))`,
  `CREATE INDEX scim_users_external ON scim_users (account_id, external_id)`,
  `CREATE TABLE scim_groups (
    group_id uuid PRIMARY KEY REFERENCES groups ON DELETE CASCADE,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    external_id text NOT NULL
  )`,
  `CREATE INDEX scim_groups_external ON scim_groups (account_id, external_id)`,
];

/** Provisioning by SCIM: its tokens, and what identity providers call users and groups. */
export class ProvisionUsers1797973200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['scim_groups', 'scim_users', 'scim_tokens']) await runner.query(`DROP TABLE ${table}`);
  }
}
