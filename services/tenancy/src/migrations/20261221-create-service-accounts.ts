import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE service_accounts (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    name text NOT NULL,
    email text NOT NULL UNIQUE,
    description text NOT NULL,
    role text NOT NULL CHECK (role IN ('Admin', 'Member')),
    status text NOT NULL CHECK (status IN ('Active', 'Inactive')),
    created timestamptz NOT NULL DEFAULT now(),
    created_by text NOT NULL
  )`,
  `CREATE UNIQUE INDEX service_accounts_of_account ON service_accounts (account_id, lower(name))`,
  // Apart from the grants of users: a row without user and group is everyone's to a replica of an older version.
  `CREATE TABLE service_account_grants (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    service_account_id uuid NOT NULL REFERENCES service_accounts ON DELETE CASCADE,
    permissions text[] NOT NULL,
    filter text NOT NULL,
    note text NOT NULL,
    expires timestamptz,
    created timestamptz NOT NULL DEFAULT now(),
    created_by text NOT NULL
  )`,
  `CREATE INDEX service_account_grants_of_account ON service_account_grants (account_id)`,
  `CREATE INDEX service_account_grants_of_subject ON service_account_grants (service_account_id)`,
  `CREATE INDEX service_account_grants_by_expiry ON service_account_grants (expires) WHERE expires IS NOT NULL`,
];

/** Service accounts, and the grants that name them. */
export class CreateServiceAccounts1797886800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE service_account_grants');
    await runner.query('DROP TABLE service_accounts');
  }
}
