import type { Sql } from '@warren/platform/database/sql';
import type { StoredEvent } from '../../list/list.sql.ts';
import { STREAM_COLUMNS, WAITING_CHAINS, type StreamRow } from '../store/streams.sql.ts';

/** Where a stream is in the chain of an account. */
export interface Waiting {
  accountId: string;
  /** The last event that was delivered, left out or skipped. */
  position: string;
  /** Events up to here are removed by retention. */
  removed: string;
  head: string;
}

/** What a batch did to a stream. */
export interface Advance {
  accountId: string;
  position: bigint;
  delivered: number;
  skipped: bigint;
}

/**
 * Claims streams that have something to deliver and whose time has come, for this process alone until the lease ends.
 * @param leaseSeconds after which another process may claim them, if this one died
 */
export async function claimStreams(sql: Sql, owner: string, leaseSeconds: number, most: number): Promise<StreamRow[]> {
  const [rows] = await sql.query<[StreamRow[], number]>(
    `UPDATE streams s SET claimed_by = $1, claimed_until = now() + make_interval(secs => $2)
     WHERE s.id IN (SELECT s.id FROM streams s WHERE s.enabled AND s.next_at <= now()
         AND (s.claimed_until IS NULL OR s.claimed_until < now()) AND EXISTS (SELECT FROM ${WAITING_CHAINS})
       ORDER BY s.next_at LIMIT $3 FOR UPDATE OF s SKIP LOCKED)
     RETURNING ${STREAM_COLUMNS}`,
    [owner, leaseSeconds, most],
  );
  return rows;
}

/** Chains with events for a stream. */
export function waitingChains(sql: Sql, streamId: string, most: number): Promise<Waiting[]> {
  return sql.query(
    `SELECT w."accountId", w.position::text AS position, w.removed::text AS removed, w.head::text AS head
     FROM streams s CROSS JOIN LATERAL (
       SELECT c.account_id AS "accountId", coalesce(p.sequence, 0) AS position, c.removed, c.sequence AS head FROM ${WAITING_CHAINS}) w
     WHERE s.id = $1 ORDER BY w."accountId" LIMIT $2`,
    [streamId, most],
  );
}

/** The next events of a chain, in its order. */
export function eventsAfter(sql: Sql, accountId: string, position: bigint, most: number): Promise<StoredEvent[]> {
  return sql.query(
    `SELECT e.id, e.time, e.account_id AS "accountId", e.sequence::text AS sequence, e.event::text AS event FROM events e
     WHERE e.account_id = $1 AND e.sequence > $2 ORDER BY e.sequence LIMIT $3`,
    [accountId, String(position), most],
  );
}

/**
 * Moves a stream on in a chain, and prolongs the lease.
 * @returns false if the lease went to another process, or people changed the stream
 */
export async function advance(
  sql: Sql,
  { id, version }: Pick<StreamRow, 'id' | 'version'>,
  { owner, leaseSeconds }: { owner: string; leaseSeconds: number },
  { accountId, position, delivered, skipped }: Advance,
): Promise<boolean> {
  const rows = await sql.query<{ stream_id: string }[]>(
    `WITH held AS (
       UPDATE streams SET claimed_until = now() + make_interval(secs => $4), delivered = delivered + $7::int, skipped = skipped + $8::bigint,
         last_delivery = CASE WHEN $7::int > 0 THEN now() ELSE last_delivery END,
         last_gap = CASE WHEN $8::bigint > 0 THEN now() ELSE last_gap END,
         failures = CASE WHEN $7::int > 0 THEN 0 ELSE failures END,
         failing_since = CASE WHEN $7::int > 0 THEN NULL ELSE failing_since END
       WHERE id = $1 AND version = $2 AND claimed_by = $3 RETURNING id)
     INSERT INTO stream_positions AS p (stream_id, account_id, sequence) SELECT id, $5, $6 FROM held
     ON CONFLICT (stream_id, account_id) DO UPDATE SET sequence = greatest(p.sequence, excluded.sequence) RETURNING stream_id`,
    [id, version, owner, leaseSeconds, accountId, String(position), delivered, String(skipped)],
  );
  return rows.length === 1;
}

/** Ends a claim. */
export async function release(sql: Sql, id: string, owner: string): Promise<void> {
  await sql.query(
    'UPDATE streams SET claimed_by = NULL, claimed_until = NULL, next_at = now() WHERE id = $1 AND claimed_by = $2',
    [id, owner],
  );
}

/** Ends a claim after a failed delivery. @param delayMs before the next attempt */
export async function releaseFailed(
  sql: Sql,
  { id, owner }: { id: string; owner: string },
  reason: string,
  delayMs: number,
): Promise<void> {
  await sql.query(
    `UPDATE streams SET claimed_by = NULL, claimed_until = NULL, next_at = now() + make_interval(secs => $4 / 1000.0),
       failures = failures + 1, failing_since = coalesce(failing_since, now()), last_error = $3
     WHERE id = $1 AND claimed_by = $2`,
    [id, owner, reason, delayMs],
  );
}

/** Counts enabled streams, and how long the longest has failed, in seconds. */
export async function streamStates(sql: Sql): Promise<{ streams: number; failing: number; failingSeconds: number }> {
  const [row] = await sql.query<{ streams: number; failing: number; failingSeconds: number }[]>(
    `SELECT count(*)::int AS streams, count(failing_since)::int AS failing,
       coalesce(extract(epoch FROM now() - min(failing_since)), 0)::float8 AS "failingSeconds" FROM streams WHERE enabled`,
  );
  return row ?? { streams: 0, failing: 0, failingSeconds: 0 };
}
