import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  `CREATE TABLE recordings (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    device_id uuid NOT NULL,
    device_name text NOT NULL,
    terminal text NOT NULL,
    kind smallint NOT NULL,
    user_id text NOT NULL,
    user_email text NOT NULL,
    started timestamptz NOT NULL,
    policy smallint NOT NULL,
    cols integer NOT NULL,
    rows integer NOT NULL,
    -- Grows with each writer that takes the recording over: the rows of the one before are refused from then on.
    claim integer NOT NULL DEFAULT 0,
    next_offset bigint NOT NULL DEFAULT 0,
    chunks integer NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    stored bigint NOT NULL DEFAULT 0,
    duration_ms bigint NOT NULL DEFAULT 0,
    gaps integer NOT NULL DEFAULT 0,
    gap_bytes bigint NOT NULL DEFAULT 0,
    hash bytea NOT NULL,
    last_at timestamptz NOT NULL DEFAULT now(),
    ended timestamptz,
    exit_code integer,
    reason text NOT NULL DEFAULT '',
    key_id text NOT NULL DEFAULT '',
    signature bytea NOT NULL DEFAULT '',
    held_since timestamptz,
    held_by text NOT NULL DEFAULT '',
    held_reason text NOT NULL DEFAULT '',
    -- Chunks that the indexer has read, and what it wrote of them.
    indexed integer NOT NULL DEFAULT 0,
    searchable bigint NOT NULL DEFAULT 0,
    text_bytes bigint NOT NULL DEFAULT 0,
    index_by uuid,
    index_until timestamptz,
    index_failures integer NOT NULL DEFAULT 0,
    -- When its chunks were last compared with their hashes, and what was wrong.
    verified timestamptz,
    failed text NOT NULL DEFAULT ''
  )`,
  'CREATE UNIQUE INDEX recordings_session ON recordings (account_id, device_id, terminal, kind)',
  'CREATE INDEX recordings_account ON recordings (account_id, id)',
  'CREATE INDEX recordings_device ON recordings (account_id, device_id, id)',
  'CREATE INDEX recordings_user ON recordings (account_id, user_id, id)',
  'CREATE INDEX recordings_email ON recordings (account_id, user_email, id)',
  'CREATE INDEX recordings_live ON recordings (account_id, id) WHERE ended IS NULL',
  'CREATE INDEX recordings_ended ON recordings (account_id, ended) WHERE ended IS NOT NULL AND held_since IS NULL',
  'CREATE INDEX recordings_verified ON recordings (verified NULLS FIRST) WHERE ended IS NOT NULL',
  `CREATE INDEX recordings_failed ON recordings (id) WHERE failed <> ''`,
  'CREATE INDEX recordings_unread ON recordings (last_at) WHERE kind = 1 AND indexed < chunks AND index_failures < 5',
  `CREATE TABLE recording_chunks (
    recording_id uuid NOT NULL REFERENCES recordings ON DELETE CASCADE,
    account_id uuid NOT NULL,
    sequence integer NOT NULL,
    claim integer NOT NULL,
    from_offset bigint NOT NULL,
    to_offset bigint NOT NULL,
    from_ms bigint NOT NULL,
    to_ms bigint NOT NULL,
    size integer NOT NULL,
    stored integer NOT NULL,
    key_version integer NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (recording_id, sequence)
  )`,
  `CREATE TABLE recording_snapshots (
    recording_id uuid NOT NULL REFERENCES recordings ON DELETE CASCADE,
    account_id uuid NOT NULL,
    at_ms bigint NOT NULL,
    at_offset bigint NOT NULL,
    sequence integer NOT NULL,
    cols integer NOT NULL,
    rows integer NOT NULL,
    size integer NOT NULL,
    stored integer NOT NULL,
    key_version integer NOT NULL,
    PRIMARY KEY (recording_id, at_ms)
  )`,
  // Lines that appeared on the screen, some dozens in a row.
  `CREATE TABLE recording_texts (
    recording_id uuid NOT NULL REFERENCES recordings ON DELETE CASCADE,
    account_id uuid NOT NULL,
    block integer NOT NULL,
    at_ms bigint[] NOT NULL,
    at_offset bigint[] NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (recording_id, block)
  )`,
  'CREATE INDEX recording_texts_account ON recording_texts (account_id, recording_id, block)',
  'CREATE INDEX recording_texts_searched ON recording_texts USING gin (lower(content) public.gin_trgm_ops)',
  `CREATE TABLE recording_keys (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    version integer NOT NULL,
    secret bytea NOT NULL,
    created timestamptz NOT NULL DEFAULT now(),
    UNIQUE (account_id, version)
  )`,
  `CREATE TABLE recording_settings (
    account_id uuid PRIMARY KEY,
    version integer NOT NULL,
    policy smallint NOT NULL,
    filter text NOT NULL,
    days integer,
    quota bigint,
    full_policy smallint NOT NULL,
    redactions text[] NOT NULL,
    search boolean NOT NULL
  )`,
  'CREATE TABLE recording_usage (account_id uuid PRIMARY KEY, bytes bigint NOT NULL, recordings integer NOT NULL)',
  // Objects of deleted recordings, which are to be removed.
  `CREATE TABLE recording_garbage (
    recording_id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    since timestamptz NOT NULL DEFAULT now()
  )`,
  // Who has read a recording in an hour: that is one event.
  `CREATE TABLE recording_views (
    recording_id uuid NOT NULL REFERENCES recordings ON DELETE CASCADE,
    account_id uuid NOT NULL,
    viewer text NOT NULL,
    hour timestamptz NOT NULL,
    PRIMARY KEY (recording_id, viewer)
  )`,
  // The store that these rows belong to: another folder or bucket has another id.
  'CREATE TABLE recording_store (single boolean PRIMARY KEY, id uuid NOT NULL, swept timestamptz)',
];

/** Recordings of sessions: their chunks, keys, settings and texts. Their content is in a store of objects. */
export class CreateRecordings1799269200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE recording_chunks, recording_snapshots, recording_texts, recording_views, recordings, recording_keys,
      recording_settings, recording_usage, recording_garbage, recording_store`);
  }
}
