import type { Sql } from '@warren/platform/database/sql';
import type { StoredSnapshot } from '../view/view.sql.ts';

/** A recording with chunks that the indexer has not read. */
export interface Unread {
  id: string;
  accountId: string;
  cols: number;
  rows: number;
  indexed: number;
  chunks: number;
  textBytes: number;
  isEnded: boolean;
  search: boolean;
  redactions: string[];
}

/** Claims recordings with unread chunks for one indexer, those of its last claim first. */
export async function claimUnread(sql: Sql, by: string, seconds: number, limit: number): Promise<Unread[]> {
  const [rows] = await sql.query<[Unread[], number]>(
    `UPDATE recordings r SET index_by = $1, index_until = now() + make_interval(secs => $2)
     FROM (SELECT u.id, s.search, s.redactions FROM recordings u LEFT JOIN recording_settings s ON s.account_id = u.account_id
       WHERE u.kind = 1 AND u.indexed < u.chunks AND u.index_failures < 5
         AND (u.index_until IS NULL OR u.index_until < now() OR u.index_by = $1)
       ORDER BY u.last_at LIMIT $3 FOR UPDATE OF u SKIP LOCKED) AS chosen
     WHERE r.id = chosen.id
     RETURNING r.id, r.account_id AS "accountId", r.cols, r.rows, r.indexed, r.chunks, r.text_bytes::float8 AS "textBytes",
       r.ended IS NOT NULL AS "isEnded", coalesce(chosen.search, true) AS search, coalesce(chosen.redactions, '{}') AS redactions`,
    [by, seconds, limit],
  );
  return rows;
}

/** Lines of a chunk, some dozens in a row of the table. */
export interface Block {
  block: number;
  atMs: number[];
  offsets: number[];
  lines: string[];
}

interface Indexed {
  id: string;
  accountId: string;
  by: string;
  sequence: number;
  to: number;
  textBytes: number;
  storedBytes: number;
}

/** Marks a chunk as read, if the indexer still has the claim and it is the next one. @returns false otherwise */
export async function markIndexed(sql: Sql, indexed: Indexed): Promise<boolean> {
  const { id, accountId, by, sequence, to, textBytes, storedBytes } = indexed;
  const [rows] = await sql.query<[unknown[], number]>(
    `UPDATE recordings SET indexed = $4 + 1, searchable = $5, text_bytes = text_bytes + $6, stored = stored + $7
     WHERE id = $1 AND account_id = $2 AND index_by = $3 AND indexed = $4 RETURNING id`,
    [id, accountId, by, sequence, to, textBytes, storedBytes],
  );
  return rows.length > 0;
}

export async function insertTexts(
  sql: Sql,
  { id, accountId }: { id: string; accountId: string },
  blocks: readonly Block[],
): Promise<void> {
  for (const { block, atMs, offsets, lines } of blocks)
    await sql.query(
      `INSERT INTO recording_texts (recording_id, account_id, block, at_ms, at_offset, content)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
      [id, accountId, block, atMs, offsets, lines.join('\n')],
    );
}

/** Inserts a snapshot whose content is durable. @returns false if there is one of that time */
export async function insertSnapshot(
  sql: Sql,
  { id, accountId }: { id: string; accountId: string },
  snapshot: StoredSnapshot & { stored: number },
): Promise<boolean> {
  const { atMs, offset, sequence, cols, rows, size, stored, keyVersion } = snapshot;
  const inserted = await sql.query<unknown[]>(
    `INSERT INTO recording_snapshots (recording_id, account_id, at_ms, at_offset, sequence, cols, rows, size, stored, key_version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING true`,
    [id, accountId, atMs, offset, sequence, cols, rows, size, stored, keyVersion],
  );
  return inserted.length > 0;
}

/** Notes that a recording could not be read; after 5 times it is left alone. */
export async function noteFailure(sql: Sql, id: string): Promise<void> {
  await sql.query('UPDATE recordings SET index_failures = index_failures + 1 WHERE id = $1', [id]);
}

/** Age in seconds of the oldest chunk that is unread; 0 if all are read. */
export async function indexLag(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ seconds: number | null }[]>(
    `SELECT extract(epoch FROM now() - min(last_at))::float8 AS seconds FROM recordings
     WHERE kind = 1 AND indexed < chunks AND index_failures < 5`,
  );
  return Math.max(0, row?.seconds ?? 0);
}
