import type { Sql } from '@warren/platform/database/sql';
import type { SealedRow } from '@warren/platform/secrets/sealed.columns';
import type { EntityManager } from 'typeorm';
import type { StreamEntity } from './stream.entity.ts';

/** A stream as people and its deliveries know it. */
export type StreamRow = Omit<StreamEntity, 'created' | 'nextAt' | 'tested' | 'claimedBy' | 'claimedUntil'>;

/** A stream, and what waits for it. */
export interface WaitingStream extends StreamRow {
  waiting: string;
  oldest: Date | null;
}

export const STREAM_COLUMNS = `s.id, s.account_id AS "accountId", s.name, s.kind, s.url, s.url_shown AS "urlShown", s.secret,
  s.former_secret AS "formerSecret", s.former_until AS "formerUntil", s.ca, s.actions, s.outcomes, s.enabled, s.version, s.failures,
  s.failing_since AS "failingSince", s.last_error AS "lastError", s.last_delivery AS "lastDelivery", s.delivered, s.skipped, s.last_gap AS "lastGap"`;

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

/** Locks the streams of an account against additions. */
export async function lockStreams(manager: EntityManager, accountId: string | null): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`streams of ${accountId}`]);
}

/** Has a new stream start with the next event of each chain. */
export async function startPositions(
  manager: EntityManager,
  { id, accountId }: Pick<StreamRow, 'id' | 'accountId'>,
): Promise<void> {
  await manager.query(
    `INSERT INTO stream_positions (stream_id, account_id, sequence)
     SELECT $1, account_id, sequence FROM chains WHERE $2::uuid IS NULL OR account_id = $2`,
    [id, accountId],
  );
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
    `SELECT id, url, secret, former_secret AS "formerSecret" FROM streams WHERE id > $1 AND kind <> 'file' ORDER BY id LIMIT $2`,
    [after, limit],
  );
}

/** Replaces sealed values, unless they were changed meanwhile. */
export async function replaceSealed(sql: Sql, before: SealedRow, after: Omit<SealedRow, 'id'>): Promise<void> {
  await sql.query(
    `UPDATE streams SET url = $3, secret = $4, former_secret = $6
     WHERE id = $1 AND url = $2 AND secret IS NOT DISTINCT FROM $5 AND former_secret IS NOT DISTINCT FROM $7`,
    [before.id, before.url, after.url, after.secret, before.secret, after.formerSecret, before.formerSecret],
  );
}

/** Deletes former secrets that no longer sign. */
export async function forgetFormerSecrets(sql: Sql): Promise<void> {
  await sql.query('UPDATE streams SET former_secret = NULL, former_until = NULL WHERE former_until < now()');
}
