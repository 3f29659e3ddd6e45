import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A name as it is compared: compatibility folded, in lower case, without spaces at its ends, each run of spaces one space. */
const KEY = `lower(btrim(regexp_replace(normalize(name, NFKC), '\\s+', ' ', 'g')))`;

/** Names that were apart before and are one now keep both; only new ones are refused. */
const numberTwins = (table: string, within: string) => `
  UPDATE ${table} SET name_twin = twin.n FROM (
    SELECT id, row_number() OVER (PARTITION BY ${within} name_key ORDER BY created, id) - 1 AS n FROM ${table}
  ) twin WHERE twin.id = ${table}.id AND twin.n > 0`;

const UP = [
  // Empty until the next sign-in.
  `ALTER TABLE users
    ADD COLUMN provider text NOT NULL DEFAULT '',
    ADD COLUMN subject text NOT NULL DEFAULT '',
    ADD COLUMN bound_at timestamptz`,
  `ALTER TABLE invitations ADD COLUMN joined_elsewhere boolean NOT NULL DEFAULT false`,
  ...['accounts', 'groups'].map(
    (table) => `ALTER TABLE ${table}
      ADD COLUMN name_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (${KEY}) STORED,
      ADD COLUMN name_twin integer NOT NULL DEFAULT 0`,
  ),
  numberTwins('accounts', ''),
  numberTwins('groups', 'account_id,'),
  `DROP INDEX accounts_name`,
  `CREATE UNIQUE INDEX accounts_name ON accounts (name_key, name_twin)`,
  `DROP INDEX groups_name`,
  `CREATE UNIQUE INDEX groups_name ON groups (account_id, name_key, name_twin)`,
];

const DOWN = [
  `DROP INDEX accounts_name`,
  `CREATE UNIQUE INDEX accounts_name ON accounts (lower(name))`,
  `DROP INDEX groups_name`,
  `CREATE UNIQUE INDEX groups_name ON groups (account_id, lower(name))`,
  ...['accounts', 'groups'].map((table) => `ALTER TABLE ${table} DROP COLUMN name_key, DROP COLUMN name_twin`),
  `ALTER TABLE invitations DROP COLUMN joined_elsewhere`,
  `ALTER TABLE users DROP COLUMN provider, DROP COLUMN subject, DROP COLUMN bound_at`,
];

/** Binds users to the identity of their sign-in, voids invitations of people who joined another account, and compares names folded. */
export class BindSignIns1795640400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
