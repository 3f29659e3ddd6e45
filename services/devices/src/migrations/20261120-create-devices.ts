import { CREATE_OUTBOX } from '@warren/platform/events/outbox.sql';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  // Sorts pi-2 before pi-10: numbers are padded to ten digits. Compared by bytes, so the order depends on no locale's version.
  `CREATE FUNCTION natural_key(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN left(regexp_replace(regexp_replace(lower(value), '([0-9]+)', '000000000\\1', 'g'), '[0-9]*([0-9]{10})', '\\1', 'g'), 400)`,

  `CREATE TABLE accounts (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    active boolean NOT NULL,
    operator boolean NOT NULL,
    deleted boolean NOT NULL DEFAULT false,
    as_of timestamptz NOT NULL
  )`,

  // What lists and searches read comes first: PostgreSQL has to step over every column before the one it wants.
  `CREATE TABLE devices (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts,
    connected boolean NOT NULL DEFAULT false,
    sort_name text COLLATE "C" NOT NULL
      GENERATED ALWAYS AS (natural_key(CASE WHEN custom_name = '' THEN name ELSE custom_name END)) STORED,
    sort_account text COLLATE "C" NOT NULL GENERATED ALWAYS AS (natural_key(account_name)) STORED,
    search_text text NOT NULL GENERATED ALWAYS AS
      (lower(name || chr(10) || custom_name || chr(10) || serial || chr(10) || private_ip || chr(10) || public_ip)) STORED,
    account_name text NOT NULL,
    serial text NOT NULL,
    slug text NOT NULL UNIQUE,
    name text NOT NULL CHECK (name <> ''),
    custom_name text NOT NULL DEFAULT '',
    ssh_enabled boolean NOT NULL DEFAULT true,
    http_enabled boolean NOT NULL DEFAULT false,
    http_port integer NOT NULL DEFAULT 1880 CHECK (http_port BETWEEN 1 AND 65535),
    private_ip text NOT NULL DEFAULT '',
    public_ip text NOT NULL DEFAULT '',
    os text NOT NULL DEFAULT '',
    kernel text NOT NULL DEFAULT '',
    arch text NOT NULL DEFAULT '',
    model text NOT NULL DEFAULT '',
    agent_version text NOT NULL DEFAULT '',
    cpu_cores integer NOT NULL DEFAULT 0,
    total_ram bigint NOT NULL DEFAULT 0,
    total_disk bigint NOT NULL DEFAULT 0,
    status_since timestamptz NOT NULL DEFAULT now(),
    connection_replica text,
    connection_epoch bigint NOT NULL DEFAULT 0,
    created timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX devices_by_status ON devices (connected DESC, sort_name, id)`,
  `CREATE INDEX devices_by_name ON devices (sort_name, id)`,
  `CREATE INDEX devices_by_account ON devices (sort_account, account_id, sort_name, id)`,
  `CREATE INDEX devices_of_account_by_status ON devices (account_id, connected DESC, sort_name, id)`,
  `CREATE INDEX devices_of_account_by_name ON devices (account_id, sort_name, id)`,
  `CREATE INDEX devices_search ON devices USING gin (search_text gin_trgm_ops)`,
  `CREATE INDEX devices_by_serial ON devices (serial)`,
  `CREATE INDEX devices_held_by ON devices (connection_replica) WHERE connected`,

  // Apart from the devices, since it changes with every report: their rows and indexes stay as they are.
  `CREATE TABLE device_facts (
    device_id uuid PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
    cpu_usage double precision NOT NULL,
    used_ram bigint NOT NULL,
    used_disk bigint NOT NULL,
    uptime_seconds bigint NOT NULL,
    reported timestamptz NOT NULL
  ) WITH (fillfactor = 70)`,

  `CREATE TABLE device_keys (
    device_id uuid PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
    public_key bytea NOT NULL CONSTRAINT device_keys_public_key UNIQUE CHECK (octet_length(public_key) = 32),
    created timestamptz NOT NULL DEFAULT now()
  )`,

  `CREATE TABLE enrolment_tokens (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts,
    hash bytea NOT NULL UNIQUE,
    uses integer NOT NULL CHECK (uses BETWEEN 1 AND 500),
    uses_left integer NOT NULL CHECK (uses_left BETWEEN 0 AND uses),
    created_by text,
    created timestamptz NOT NULL DEFAULT now(),
    expires timestamptz NOT NULL,
    revoked timestamptz
  )`,
  `CREATE INDEX enrolment_tokens_expiry ON enrolment_tokens (expires)`,
  `CREATE INDEX enrolment_tokens_account ON enrolment_tokens (account_id)`,
  CREATE_OUTBOX,
];

/** Devices with keys, facts and enrolment tokens, the copy of accounts, and the events that wait. */
export class CreateDevices1795208400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['outbox', 'enrolment_tokens', 'device_keys', 'device_facts', 'devices', 'accounts'])
      await runner.query(`DROP TABLE ${table}`);
    await runner.query('DROP FUNCTION natural_key');
  }
}
