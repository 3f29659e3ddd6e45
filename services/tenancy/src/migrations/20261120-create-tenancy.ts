import { CREATE_OUTBOX } from '@warren/platform/events/outbox.sql';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE accounts (
    id uuid PRIMARY KEY,
    name text NOT NULL CHECK (name <> ''),
    operator boolean NOT NULL DEFAULT false,
    status text NOT NULL DEFAULT 'Active' CHECK (status IN ('Active', 'Inactive')),
    created timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE UNIQUE INDEX accounts_name ON accounts (lower(name))`,
  `CREATE UNIQUE INDEX accounts_one_operator ON accounts (operator) WHERE operator`,
  `CREATE INDEX accounts_search ON accounts USING gin (lower(name) gin_trgm_ops)`,

  `CREATE TABLE groups (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    name text NOT NULL CHECK (name <> ''),
    role text NOT NULL CHECK (role IN ('SuperAdmin', 'Owner', 'Admin', 'Member')),
    is_default boolean NOT NULL DEFAULT false,
    created timestamptz NOT NULL DEFAULT now(),
    UNIQUE (account_id, id)
  )`,
  `CREATE UNIQUE INDEX groups_name ON groups (account_id, lower(name))`,
  `CREATE INDEX groups_search ON groups USING gin (lower(name) gin_trgm_ops)`,

  // The pair (account_id, group_id) refers to a group of the same account: a user can't be in another account's group.
  `CREATE TABLE users (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    group_id uuid NOT NULL,
    email text NOT NULL CHECK (email = lower(email)),
    name text NOT NULL DEFAULT '',
    picture text NOT NULL DEFAULT '',
    status text NOT NULL DEFAULT 'Active' CHECK (status IN ('Active', 'Inactive')),
    created timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id)
  )`,
  `CREATE UNIQUE INDEX users_email ON users (lower(email))`,
  `CREATE INDEX users_by_name ON users (lower(name), lower(email), id)`,
  `CREATE INDEX users_of_account ON users (account_id, group_id)`,
  `CREATE INDEX users_search ON users USING gin (lower(name || ' ' || email) gin_trgm_ops)`,

  `CREATE TABLE invitations (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    group_id uuid NOT NULL,
    email text NOT NULL CHECK (email = lower(email)),
    token_hash bytea NOT NULL UNIQUE,
    invited_at timestamptz NOT NULL DEFAULT now(),
    expires timestamptz NOT NULL DEFAULT now() + interval '7 days',
    accepted_at timestamptz,
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id) ON DELETE CASCADE
  )`,
  `CREATE INDEX invitations_pending ON invitations (email, invited_at) WHERE accepted_at IS NULL`,
  `CREATE INDEX invitations_of_group ON invitations (account_id, group_id)`,
  CREATE_OUTBOX,
];

/** Accounts, their groups, users and invitations, and the events that wait. */
export class CreateTenancy1795208400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['outbox', 'invitations', 'users', 'groups', 'accounts'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
