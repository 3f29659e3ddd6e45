import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE rollouts (
    id uuid PRIMARY KEY,
    version text NOT NULL,
    account_id uuid REFERENCES accounts,
    share integer NOT NULL CHECK (share BETWEEN 1 AND 100),
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'paused', 'rolled_back', 'done')),
    why text NOT NULL DEFAULT '',
    -- Failures and attempts that a person who resumed it has seen already.
    seen_failed integer NOT NULL DEFAULT 0,
    seen_tried integer NOT NULL DEFAULT 0,
    created timestamptz NOT NULL DEFAULT now(),
    created_by text NOT NULL
  )`,
  `CREATE INDEX rollouts_by_time ON rollouts (created DESC, id DESC)`,
  `CREATE TABLE rollout_devices (
    rollout_id uuid NOT NULL REFERENCES rollouts ON DELETE CASCADE,
    device_id uuid NOT NULL REFERENCES devices ON DELETE CASCADE,
    state text NOT NULL CHECK (state IN ('updating', 'busy', 'updated', 'failed', 'returning', 'returned', 'newer')),
    why text NOT NULL DEFAULT '',
    -- A failure that says something of the version.
    blamed boolean NOT NULL DEFAULT false,
    from_version text NOT NULL,
    since timestamptz NOT NULL DEFAULT now(),
    asked timestamptz,
    PRIMARY KEY (rollout_id, device_id)
  )`,
  `CREATE INDEX rollout_devices_under_way ON rollout_devices (device_id) WHERE state IN ('updating', 'busy', 'returning')`,
  `CREATE INDEX devices_by_version ON devices (agent_version)`,
  // Which percent of a fleet a device belongs to; always the same one, and spread evenly.
  `CREATE FUNCTION rollout_percent(device uuid) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (('x' || left(md5(device::text), 7))::bit(28)::integer % 100)`,
];

/** Versions of the agent that are offered to a share of the devices. */
export class RollOutUpdates1795467600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX devices_by_version');
    await runner.query('DROP TABLE rollout_devices');
    await runner.query('DROP TABLE rollouts');
    await runner.query('DROP FUNCTION rollout_percent');
  }
}
