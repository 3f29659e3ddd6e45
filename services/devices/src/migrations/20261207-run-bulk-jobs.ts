import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE bulk_jobs (
    id uuid PRIMARY KEY,
    -- The person who started it, and that person's account then.
    account_id uuid NOT NULL,
    user_id uuid NOT NULL,
    user_email text NOT NULL,
    user_name text NOT NULL,
    action text NOT NULL CHECK (action IN ('reboot', 'update', 'move', 'delete', 'enable_console', 'disable_console', 'enable_web', 'disable_web')),
    -- Null where devices were selected by id.
    filter text,
    -- Of the account that the filter was for; empty for all accounts.
    filter_account_name text NOT NULL,
    target_account_id uuid,
    target_account_name text NOT NULL,
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'cancelled')),
    cancelled_by text NOT NULL DEFAULT '',
    created timestamptz NOT NULL DEFAULT now(),
    finished timestamptz
  )`,
  `CREATE INDEX bulk_jobs_of_person ON bulk_jobs (user_id, created DESC)`,
  `CREATE INDEX bulk_jobs_of_account ON bulk_jobs (account_id, created DESC)`,
  `CREATE INDEX bulk_jobs_running ON bulk_jobs (account_id) WHERE state = 'running'`,
  // Devices are not referenced: deleting them is an action.
  `CREATE TABLE bulk_devices (
    job_id uuid NOT NULL REFERENCES bulk_jobs ON DELETE CASCADE,
    device_id uuid NOT NULL,
    place integer NOT NULL,
    device_name text NOT NULL,
    -- When the job started; null for a device that the person could not see.
    account_id uuid,
    state text NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
    code text NOT NULL DEFAULT '',
    reason text NOT NULL DEFAULT '',
    -- The wave that took it, and how often it was taken.
    wave uuid,
    attempts integer NOT NULL DEFAULT 0,
    PRIMARY KEY (job_id, device_id)
  )`,
  `CREATE INDEX bulk_devices_by_state ON bulk_devices (job_id, state, place)`,
];

/** Adds bulk jobs, and what became of each of their devices. */
export class RunBulkJobs1796677200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE bulk_devices');
    await runner.query('DROP TABLE bulk_jobs');
  }
}
