import { CREATE_OUTBOX } from '@warren/platform/events/outbox.sql';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  CREATE_OUTBOX,
  // A copy of the accounts that the devices service knows, for their names.
  `CREATE TABLE alert_accounts (
    id uuid PRIMARY KEY,
    name text NOT NULL
  )`,
  `CREATE TABLE alert_rules (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    filter text NOT NULL DEFAULT '',
    condition text NOT NULL DEFAULT '',
    minutes integer NOT NULL DEFAULT 0,
    days integer NOT NULL DEFAULT 0,
    times integer NOT NULL DEFAULT 0,
    severity text NOT NULL CHECK (severity IN ('critical', 'warning', 'info')),
    enabled boolean NOT NULL DEFAULT true,
    preset text,
    -- Changes with each edit: what was found by the rule before is not applied to the one after.
    revision integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (account_id, preset)
  )`,
  'CREATE INDEX alert_rules_of_account ON alert_rules (account_id, created_at, id)',
  // Since when a condition holds that has not held long enough to open an alert.
  `CREATE TABLE alert_holds (
    rule_id uuid NOT NULL REFERENCES alert_rules ON DELETE CASCADE,
    device_id uuid NOT NULL,
    since timestamptz NOT NULL,
    PRIMARY KEY (rule_id, device_id)
  )`,
  // An alert says by itself what it was, since its rule and its device may be gone.
  `CREATE TABLE alerts (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    rule_name text NOT NULL,
    kind text NOT NULL,
    severity text NOT NULL CHECK (severity IN ('critical', 'warning', 'info')),
    device_id uuid NOT NULL,
    device_name text NOT NULL,
    detail text NOT NULL DEFAULT '',
    value double precision,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
    opened_at timestamptz NOT NULL,
    closed_at timestamptz,
    acknowledged_at timestamptz,
    acknowledged_by text,
    note text,
    silenced boolean NOT NULL DEFAULT false,
    CHECK ((state = 'closed') = (closed_at IS NOT NULL))
  )`,
  `CREATE UNIQUE INDEX alerts_open ON alerts (rule_id, device_id) WHERE state = 'open'`,
  `CREATE INDEX alerts_open_of_account ON alerts (account_id, opened_at, id) WHERE state = 'open'`,
  'CREATE INDEX alerts_of_account ON alerts (account_id, opened_at, id)',
  'CREATE INDEX alerts_by_time ON alerts (opened_at, id)',
  'CREATE INDEX alerts_of_device ON alerts (device_id, opened_at, id)',
  `CREATE INDEX alerts_by_end ON alerts (closed_at) WHERE state = 'closed'`,
  `CREATE TABLE alert_silences (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    filter text NOT NULL DEFAULT '',
    until timestamptz NOT NULL,
    reason text NOT NULL DEFAULT '',
    created_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX alert_silences_of_account ON alert_silences (account_id, until)',
  // What notifications are made of: all alerts of a rule that open, or close, at once are one row.
  `CREATE TABLE alert_changes (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('opened', 'closed')),
    alert_ids uuid[] NOT NULL,
    count integer NOT NULL,
    severity text NOT NULL,
    rule_name text NOT NULL,
    examples jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    taken_at timestamptz
  )`,
  'CREATE INDEX alert_changes_to_take ON alert_changes (created_at, id) WHERE taken_at IS NULL',
  'CREATE INDEX alert_changes_by_time ON alert_changes (created_at)',
  // When the conditions were last looked at, and until when a replica is at it.
  `CREATE TABLE alert_passes (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    claimed_until timestamptz NOT NULL DEFAULT '-infinity',
    started_at timestamptz NOT NULL DEFAULT '-infinity',
    finished_at timestamptz NOT NULL DEFAULT now()
  )`,
  'INSERT INTO alert_passes DEFAULT VALUES',
  // When a disk is full by its trend; the one of a device that is full first.
  `CREATE TABLE disk_trends (
    device_id uuid PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
    looked_at timestamptz NOT NULL,
    mount text,
    full_at timestamptz
  )`,
  'CREATE INDEX disk_trends_by_look ON disk_trends (looked_at)',
  'CREATE INDEX disk_trends_full ON disk_trends (full_at) WHERE full_at IS NOT NULL',
];

const TABLES = [
  'disk_trends',
  'alert_passes',
  'alert_changes',
  'alert_silences',
  'alerts',
  'alert_holds',
  'alert_rules',
  'alert_accounts',
  'outbox',
];

/** Rules, alerts and silences, and the events that wait. */
export class CreateAlerts1796504400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`DROP TABLE ${table}`);
  }
}
