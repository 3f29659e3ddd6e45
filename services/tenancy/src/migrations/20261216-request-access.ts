import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE access_rules (
    account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    requests boolean NOT NULL,
    longest_minutes integer NOT NULL,
    approver_group uuid REFERENCES groups ON DELETE SET NULL,
    second_approver boolean NOT NULL,
    recent_minutes integer NOT NULL,
    recent_terminals boolean NOT NULL,
    recent_manage boolean NOT NULL,
    recent_grants boolean NOT NULL
  )`,
  `CREATE INDEX access_rules_of_group ON access_rules (approver_group) WHERE approver_group IS NOT NULL`,
  `CREATE TABLE access_requests (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    permissions text[] NOT NULL,
    filter text NOT NULL,
    device_id uuid,
    device_name text NOT NULL,
    reason text NOT NULL,
    minutes integer NOT NULL,
    approvals_needed integer NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'approved', 'denied', 'withdrawn', 'expired')),
    created timestamptz NOT NULL DEFAULT now(),
    expires timestamptz NOT NULL,
    ended timestamptz,
    grant_id uuid,
    grant_expires timestamptz,
    CHECK ((state = 'open') = (ended IS NULL))
  )`,
  `CREATE INDEX access_requests_of_account ON access_requests (account_id, created)`,
  `CREATE INDEX access_requests_of_user ON access_requests (user_id)`,
  `CREATE INDEX access_requests_by_expiry ON access_requests (expires) WHERE state = 'open'`,
  `CREATE INDEX access_requests_by_end ON access_requests (ended) WHERE ended IS NOT NULL`,
  `CREATE TABLE access_decisions (
    request_id uuid NOT NULL REFERENCES access_requests ON DELETE CASCADE,
    user_id uuid NOT NULL,
    name text NOT NULL,
    approved boolean NOT NULL,
    minutes integer NOT NULL,
    note text NOT NULL,
    decided timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (request_id, user_id)
  )`,
  `CREATE TABLE access_mails (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    request_id uuid NOT NULL REFERENCES access_requests ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('asked', 'ended')),
    created timestamptz NOT NULL DEFAULT now(),
    due timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0
  )`,
  `CREATE INDEX access_mails_by_due ON access_mails (due)`,
  `CREATE INDEX access_mails_of_request ON access_mails (request_id)`,
  `CREATE INDEX access_mails_of_user ON access_mails (user_id)`,
  // Accounts have 200 grants at most, and the new condition is wider: no row is looked at.
  `ALTER TABLE grants DROP CONSTRAINT grants_source_check`,
  `ALTER TABLE grants ADD CONSTRAINT grants_source_check CHECK (source IN ('administrator', 'request')) NOT VALID`,
];

const DOWN = [
  `DELETE FROM grants WHERE source = 'request'`,
  `ALTER TABLE grants DROP CONSTRAINT grants_source_check`,
  `ALTER TABLE grants ADD CONSTRAINT grants_source_check CHECK (source IN ('administrator'))`,
  ...['access_mails', 'access_decisions', 'access_requests', 'access_rules'].map((table) => `DROP TABLE ${table}`),
];

/** Access requests with their decisions and mails, and the rules of accounts about them and about recent sign-ins. */
export class RequestAccess1797454800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
