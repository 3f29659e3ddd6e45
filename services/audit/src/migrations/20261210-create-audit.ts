import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Months that are never removed, whatever the retention: a taken-over service can't remove the traces of today. */
const KEPT_DAYS = 28;

const TABLES = [
  // Ids are UUIDs whose first 48 bits are the time in milliseconds: partitions and order by id are those by time.
  `CREATE TABLE events (
    id uuid PRIMARY KEY,
    time timestamptz NOT NULL,
    account_id uuid NOT NULL,
    sequence bigint NOT NULL,
    action text NOT NULL,
    actor_id text NOT NULL,
    actor_email text NOT NULL,
    target_id text NOT NULL,
    outcome smallint NOT NULL,
    request_id text NOT NULL,
    searched text NOT NULL,
    event json NOT NULL,
    hash bytea NOT NULL
  ) PARTITION BY RANGE (id)`,
  'CREATE INDEX events_account ON events (account_id, id)',
  'CREATE INDEX events_chain ON events (account_id, sequence)',
  'CREATE INDEX events_account_action ON events (account_id, action, id)',
  'CREATE INDEX events_action ON events (action, id)',
  // Actors and targets are in one account each, but for people of the operator.
  `CREATE INDEX events_actor ON events (actor_id, id) WHERE actor_id <> ''`,
  `CREATE INDEX events_target ON events (target_id, id) WHERE target_id <> ''`,
  `CREATE INDEX events_actor_email ON events (actor_email, id) WHERE actor_email <> ''`,
  `CREATE INDEX events_request ON events (request_id, id) WHERE request_id <> ''`,
  'CREATE INDEX events_account_refused ON events (account_id, id) WHERE outcome > 1',
  'CREATE INDEX events_refused ON events (id) WHERE outcome > 1',
  'CREATE INDEX events_searched ON events USING gin (searched public.gin_trgm_ops)',
  `CREATE TABLE checkpoints (
    account_id uuid NOT NULL,
    kind text NOT NULL,
    sequence bigint NOT NULL,
    hash bytea NOT NULL,
    time timestamptz NOT NULL,
    key_id text NOT NULL,
    signature bytea NOT NULL,
    PRIMARY KEY (account_id, kind, sequence)
  )`,
  // The last event of each account, and the last one that was removed.
  `CREATE TABLE chains (
    account_id uuid PRIMARY KEY,
    sequence bigint NOT NULL DEFAULT 0,
    hash bytea NOT NULL,
    time timestamptz NOT NULL,
    key_id text NOT NULL DEFAULT '',
    signature bytea NOT NULL DEFAULT '',
    removed bigint NOT NULL DEFAULT 0
  )`,
  'CREATE TABLE retention (account_id uuid PRIMARY KEY, months integer NOT NULL)',
  'CREATE TABLE verifications (single boolean PRIMARY KEY, time timestamptz NOT NULL, broken integer NOT NULL)',
];

const FUNCTIONS = [
  `CREATE FUNCTION events_only_grow() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' AND current_setting('audit.removal', true) = 'on' THEN RETURN OLD; END IF;
    RAISE EXCEPTION 'the audit trail only grows';
  END $$`,
  `CREATE FUNCTION id_at(moment timestamptz) RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT rpad(lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0'), 32, '0')::uuid
  $$`,
  // Attached rather than created in place: that waits for no backup (PostgreSQL documentation, 5.12.2.1).
  `CREATE FUNCTION create_events_partition(month date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
  DECLARE
    start timestamptz := date_trunc('month', month::timestamp) AT TIME ZONE 'UTC';
    finish timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') AT TIME ZONE 'UTC';
    partition text := 'events_' || to_char(month, 'YYYYMM');
  BEGIN
    IF start > now() + interval '3 months' OR start < now() - interval '30 years' THEN
      RAISE EXCEPTION 'events of % are out of range', month;
    END IF;
    PERFORM pg_advisory_xact_lock(x'41554454'::bigint);
    IF EXISTS (SELECT FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
      WHERE inhparent = 'events'::regclass AND c.relname = partition) THEN RETURN; END IF;
    EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING ALL)', partition);
    EXECUTE format('CREATE TRIGGER events_not_truncated BEFORE TRUNCATE ON %I EXECUTE FUNCTION events_only_grow()', partition);
    EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition, id_at(start), id_at(finish));
  END $$`,
  // Removes events of an account up to a checkpoint that says so. Returns how many, at most \`most\`.
  `CREATE FUNCTION remove_events(account uuid, through bigint, most integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER AS $$
  DECLARE
    removed integer;
  BEGIN
    IF NOT EXISTS (SELECT FROM checkpoints c WHERE c.account_id = account AND c.kind = 'removal' AND c.sequence >= through) THEN
      RAISE EXCEPTION 'no checkpoint says that events up to % are removed', through;
    END IF;
    PERFORM set_config('audit.removal', 'on', true);
    DELETE FROM events WHERE id IN (SELECT e.id FROM events e WHERE e.account_id = account AND e.sequence <= through
      AND e.id < id_at(now() - interval '${KEPT_DAYS} days') ORDER BY e.sequence LIMIT most);
    GET DIAGNOSTICS removed = ROW_COUNT;
    PERFORM set_config('audit.removal', 'off', true);
    RETURN removed;
  END $$`,
  // Drops a partition all of whose events are removed by checkpoints. Returns false if there are others.
  `CREATE FUNCTION drop_events_partition(month date) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS $$
  DECLARE
    partition text := 'events_' || to_char(month, 'YYYYMM');
    kept boolean;
  BEGIN
    IF month + interval '1 month' > now() - interval '${KEPT_DAYS} days' THEN RETURN false; END IF;
    EXECUTE format('SELECT EXISTS (SELECT FROM %I e WHERE e.sequence > coalesce((SELECT max(c.sequence) FROM checkpoints c
      WHERE c.account_id = e.account_id AND c.kind = ''removal''), 0))', partition) INTO kept;
    IF kept THEN RETURN false; END IF;
    EXECUTE format('DROP TABLE %I', partition);
    RETURN true;
  END $$`,
];

const TRIGGERS = [
  'CREATE TRIGGER events_only_grow BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION events_only_grow()',
  `CREATE TRIGGER checkpoints_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION events_only_grow()`,
];

/** Events in partitions by month, their chains and checkpoints. */
export class CreateAudit1796936400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...FUNCTIONS, ...TRIGGERS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE events, checkpoints, chains, retention, verifications');
    for (const { name } of (await runner.query(
      `SELECT oid::regprocedure::text AS name FROM pg_proc WHERE pronamespace = current_schema()::regnamespace`,
    )) as { name: string }[])
      await runner.query(`DROP FUNCTION ${name}`);
  }
}
