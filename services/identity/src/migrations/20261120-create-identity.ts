import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE identities (
    id uuid PRIMARY KEY,
    provider text NOT NULL,
    name_id text NOT NULL,
    email text NOT NULL CHECK (email = lower(email)),
    name text NOT NULL,
    first_sign_in timestamptz NOT NULL,
    last_sign_in timestamptz NOT NULL,
    UNIQUE (provider, name_id)
  )`,
  'CREATE INDEX identities_email ON identities (email)',
  `CREATE TABLE audit (
    id uuid PRIMARY KEY,
    time timestamptz NOT NULL DEFAULT now(),
    action text NOT NULL,
    actor text NOT NULL,
    detail text NOT NULL,
    remote_address text NOT NULL,
    user_agent text NOT NULL
  )`,
  'CREATE INDEX audit_time ON audit (time)',
  'CREATE INDEX audit_actor ON audit (actor, time)',
  `CREATE FUNCTION audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the audit trail only grows'; END $$`,
  `CREATE TRIGGER audit_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_only_grows()`,
];

const DOWN = ['DROP TABLE audit', 'DROP FUNCTION audit_only_grows()', 'DROP TABLE identities'];

export class CreateIdentity1795132800000 implements MigrationInterface {
  readonly name = 'CreateIdentity1795132800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
