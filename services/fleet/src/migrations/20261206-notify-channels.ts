import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE notification_channels (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    addresses text[] NOT NULL DEFAULT '{}',
    url bytea,
    url_shown text NOT NULL DEFAULT '',
    secret bytea,
    min_severity text NOT NULL,
    quiet jsonb,
    after_minutes integer NOT NULL,
    recovery boolean NOT NULL,
    enabled boolean NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_success timestamptz,
    last_failure timestamptz,
    last_error text NOT NULL DEFAULT '',
    gone integer NOT NULL DEFAULT 0,
    tested_at timestamptz
  )`,
  'CREATE UNIQUE INDEX notification_channels_name ON notification_channels (account_id, lower(name))',
  // What waits to become a message of a channel. Changes of one rule and kind are one row; with escalation, those of one minute.
  `CREATE TABLE notification_changes (
    id uuid PRIMARY KEY,
    channel_id uuid NOT NULL REFERENCES notification_channels (id) ON DELETE CASCADE,
    rule_id uuid NOT NULL,
    kind text NOT NULL,
    slot timestamptz NOT NULL,
    rule_name text NOT NULL,
    severity text NOT NULL,
    count integer NOT NULL,
    alert_ids uuid[] NOT NULL,
    examples jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    held text,
    UNIQUE (channel_id, rule_id, kind, slot)
  )`,
  'CREATE INDEX notification_changes_due ON notification_changes (due_at)',
  // One message to one channel.
  `CREATE TABLE notifications (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    channel_id uuid NOT NULL REFERENCES notification_channels (id) ON DELETE CASCADE,
    rule_id uuid,
    severity text NOT NULL,
    title text NOT NULL,
    content jsonb NOT NULL,
    state text NOT NULL DEFAULT 'waiting',
    attempts integer NOT NULL DEFAULT 0,
    last_error text NOT NULL DEFAULT '',
    next_attempt timestamptz NOT NULL DEFAULT now(),
    leased_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    delivered_at timestamptz
  )`,
  'CREATE INDEX notifications_of_account ON notifications (account_id, id)',
  'CREATE INDEX notifications_of_channel ON notifications (channel_id, id)',
  `CREATE INDEX notifications_of_rule ON notifications (channel_id, rule_id, created_at)`,
  'CREATE INDEX notifications_by_time ON notifications (account_id, created_at)',
  `CREATE INDEX notifications_waiting ON notifications (next_attempt) WHERE state = 'waiting'`,
  'CREATE INDEX notifications_age ON notifications (created_at)',
  // What an account did in an hour: it outlives its channels.
  `CREATE TABLE notification_uses (
    account_id uuid NOT NULL,
    what text NOT NULL,
    hour timestamptz NOT NULL,
    count integer NOT NULL,
    PRIMARY KEY (account_id, what)
  )`,
];

/** Channels, and the notifications that go there. */
export class NotifyChannels1796590800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['notification_uses', 'notifications', 'notification_changes', 'notification_channels'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
