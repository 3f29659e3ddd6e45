import type { Sql } from '@warren/platform/database/sql';
import type { SealedRow } from '@warren/platform/secrets/sealed.columns';
import type { StreamKindName } from '@warren/rules/audit-streams';
import type { EntityManager } from 'typeorm';

/** A stream as it is stored. */
export interface StreamRow {
  id: string;
  /** Null: of all accounts and of the installation. */
  account_id: string | null;
  name: string;
  kind: StreamKindName;
  url: Buffer;
  url_shown: string;
  secret: Buffer | null;
  /** Signs as well until then, after it was replaced; encrypted. */
  former_secret: Buffer | null;
  former_until: Date | null;
  ca: string;
  actions: string[];
  outcomes: number[];
  enabled: boolean;
  version: number;
  failures: number;
  failing_since: Date | null;
  last_error: string;
  last_delivery: Date | null;
  delivered: string;
  skipped: string;
  last_gap: Date | null;
}

/** A stream, and what waits for it. */
export interface WaitingStream extends StreamRow {
  waiting: string;
  oldest: Date | null;
}

/** What people set. */
export type StreamSettings = Pick<
  StreamRow,
  | 'id'
  | 'account_id'
  | 'name'
  | 'kind'
  | 'url'
  | 'url_shown'
  | 'secret'
  | 'former_secret'
  | 'former_until'
  | 'ca'
  | 'actions'
  | 'outcomes'
  | 'enabled'
>;

export const STREAM_COLUMNS = `s.id, s.account_id, s.name, s.kind, s.url, s.url_shown, s.secret, s.former_secret, s.former_until, s.ca, s.actions, s.outcomes,
  s.enabled, s.version, s.failures, s.failing_since, s.last_error, s.last_delivery, s.delivered::text AS delivered, s.skipped::text AS skipped, s.last_gap`;

/** Chains with events that a stream `s` has not delivered, `p.sequence` being its position. */
export const WAITING_CHAINS = `chains c LEFT JOIN stream_positions p ON p.stream_id = s.id AND p.account_id = c.account_id
  WHERE (s.account_id IS NULL OR c.account_id = s.account_id) AND c.sequence > coalesce(p.sequence, 0)`;

/**
 * Lists streams by name, with what waits for each.
 * @param accountId null: of the installation
 */
export function listStreams(sql: Sql, accountId: string | null): Promise<WaitingStream[]> {
  return sql.query(
    `SELECT ${STREAM_COLUMNS}, w.waiting::text AS waiting, w.oldest FROM streams s CROSS JOIN LATERAL (
       SELECT coalesce(sum(c.sequence - coalesce(p.sequence, 0)), 0) AS waiting,
         min((SELECT e.time FROM events e WHERE e.account_id = c.account_id AND e.sequence > coalesce(p.sequence, 0) ORDER BY e.sequence LIMIT 1)) AS oldest
       FROM ${WAITING_CHAINS}) w
     WHERE s.account_id IS NOT DISTINCT FROM $1::uuid ORDER BY lower(s.name), s.id`,
    [accountId],
  );
}

/** @param sight the only account whose streams the caller may see; undefined: all */
export async function findStream(sql: Sql, id: string, sight: string | undefined): Promise<StreamRow | undefined> {
  const [row] = await sql.query<StreamRow[]>(
    `SELECT ${STREAM_COLUMNS} FROM streams s WHERE s.id = $1 AND ($2::uuid IS NULL OR s.account_id = $2)`,
    [id, sight ?? null],
  );
  return row;
}

/** Counts the streams of an account, one transaction at a time. */
export async function countStreams(manager: EntityManager, accountId: string | null): Promise<number> {
  await manager.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`streams of ${accountId}`]);
  const [row] = await manager.query<{ n: number }[]>(
    'SELECT count(*)::int AS n FROM streams WHERE account_id IS NOT DISTINCT FROM $1::uuid',
    [accountId],
  );
  return row?.n ?? 0;
}

/** Stores a new stream, which starts with the next event of each chain. */
export async function insertStream(sql: Sql, row: StreamSettings): Promise<void> {
  await sql.query(
    `INSERT INTO streams (id, account_id, name, kind, url, url_shown, secret, ca, actions, outcomes, enabled)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[row.id, row.account_id, row.name, row.kind, row.url, row.url_shown],
      ...[row.secret, row.ca, row.actions, row.outcomes, row.enabled],
    ],
  );
  await sql.query(
    `INSERT INTO stream_positions (stream_id, account_id, sequence)
     SELECT $1, account_id, sequence FROM chains WHERE $2::uuid IS NULL OR account_id = $2`,
    [row.id, row.account_id],
  );
}

/** Changes what people set, and has the stream deliver at once. @returns false if it was changed or deleted since that version */
export async function updateStream(sql: Sql, row: StreamSettings, version: number): Promise<boolean> {
  const [changed] = await sql.query<[{ id: string }[], number]>(
    `UPDATE streams SET name = $3, url = $4, url_shown = $5, ca = $6, actions = $7, outcomes = $8, enabled = $9, version = version + 1,
       next_at = now(), failures = 0, claimed_by = NULL, claimed_until = NULL
     WHERE id = $1 AND version = $2 RETURNING id`,
    [row.id, version, row.name, row.url, row.url_shown, row.ca, row.actions, row.outcomes, row.enabled],
  );
  return changed.length === 1;
}

/** Replaces the signing secret. @returns false if the stream was changed or deleted since that version */
export async function replaceSecret(sql: Sql, row: StreamSettings, version: number): Promise<boolean> {
  const [changed] = await sql.query<[{ id: string }[], number]>(
    `UPDATE streams SET secret = $3, former_secret = $4, former_until = $5, version = version + 1, next_at = now(),
       claimed_by = NULL, claimed_until = NULL
     WHERE id = $1 AND version = $2 RETURNING id`,
    [row.id, version, row.secret, row.former_secret, row.former_until],
  );
  return changed.length === 1;
}

export async function deleteStream(sql: Sql, id: string): Promise<void> {
  await sql.query('DELETE FROM streams WHERE id = $1', [id]);
}

/** Deletes the streams of deleted accounts, and what was counted for them. */
export async function deleteStreamsOf(sql: Sql, accounts: readonly string[]): Promise<void> {
  await sql.query('DELETE FROM streams WHERE account_id = ANY($1::uuid[])', [accounts]);
  await sql.query('DELETE FROM stream_changes WHERE account_id = ANY($1::uuid[])', [accounts]);
}

/** Takes the turn for a test, if the last one was long enough ago. */
export async function takeTest(sql: Sql, id: string, everySeconds: number): Promise<boolean> {
  const [taken] = await sql.query<[{ id: string }[], number]>(
    `UPDATE streams SET tested = now() WHERE id = $1 AND (tested IS NULL OR tested < now() - make_interval(secs => $2)) RETURNING id`,
    [id, everySeconds],
  );
  return taken.length === 1;
}

/** Counts a change of settings. @returns the changes and new receivers of the account in this hour */
export async function countChange(
  sql: Sql,
  accountId: string,
  receivers: number,
): Promise<{ changes: number; receivers: number }> {
  const [row] = await sql.query<{ changes: number; receivers: number }[]>(
    `INSERT INTO stream_changes AS s (account_id, hour, changes, receivers) VALUES ($1, date_trunc('hour', now()), 1, $2)
     ON CONFLICT (account_id) DO UPDATE SET hour = excluded.hour,
       changes = CASE WHEN s.hour = excluded.hour THEN s.changes ELSE 0 END + 1,
       receivers = CASE WHEN s.hour = excluded.hour THEN s.receivers ELSE 0 END + $2
     RETURNING changes, receivers`,
    [accountId, receivers],
  );
  return row ?? { changes: 0, receivers: 0 };
}

/** Streams whose secrets may be sealed with a former key, page by page. */
export function sealedStreams(sql: Sql, after: string, limit: number): Promise<SealedRow[]> {
  return sql.query(
    `SELECT id, url, secret, former_secret FROM streams WHERE id > $1 AND kind <> 'file' ORDER BY id LIMIT $2`,
    [after, limit],
  );
}

/** Replaces sealed values, unless they were changed meanwhile. */
export async function replaceSealed(sql: Sql, before: SealedRow, after: Omit<SealedRow, 'id'>): Promise<void> {
  await sql.query(
    `UPDATE streams SET url = $3, secret = $4, former_secret = $6
     WHERE id = $1 AND url = $2 AND secret IS NOT DISTINCT FROM $5 AND former_secret IS NOT DISTINCT FROM $7`,
    [before.id, before.url, after.url, after.secret, before.secret, after.former_secret, before.former_secret],
  );
}

/** Deletes former secrets that no longer sign. */
export async function forgetFormerSecrets(sql: Sql): Promise<void> {
  await sql.query('UPDATE streams SET former_secret = NULL, former_until = NULL WHERE former_until < now()');
}
