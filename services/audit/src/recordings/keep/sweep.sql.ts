import type { Sql } from '@warren/platform/database/sql';

export interface Garbage {
  recordingId: string;
  accountId: string;
}

/** Deleted recordings whose objects are to be removed, oldest first. */
export function garbage(sql: Sql, limit: number): Promise<Garbage[]> {
  return sql.query(
    'SELECT recording_id AS "recordingId", account_id AS "accountId" FROM recording_garbage g ORDER BY g.since LIMIT $1',
    [limit],
  );
}

export async function garbageRemoved(sql: Sql, recordingId: string): Promise<void> {
  await sql.query('DELETE FROM recording_garbage WHERE recording_id = $1', [recordingId]);
}

/** A name of an object as its parts. */
export interface ObjectParts {
  name: string;
  accountId: string;
  recordingId: string;
  /** Of a chunk. */
  sequence: number | null;
  claim: number | null;
  /** Of a snapshot. */
  atMs: number | null;
}

/** Of some objects those that no row knows. */
export async function orphansOf(sql: Sql, objects: readonly ObjectParts[]): Promise<string[]> {
  const column = <T>(of: (one: ObjectParts) => T) => objects.map(of);
  const rows = await sql.query<{ name: string }[]>(
    `SELECT o.name FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::integer[], $5::integer[], $6::bigint[])
       AS o (name, account_id, recording_id, sequence, claim, at_ms)
     WHERE NOT EXISTS (SELECT FROM recording_chunks c WHERE c.recording_id = o.recording_id AND c.account_id = o.account_id
         AND c.sequence = o.sequence AND c.claim = o.claim)
       AND NOT EXISTS (SELECT FROM recording_snapshots s WHERE s.recording_id = o.recording_id AND s.account_id = o.account_id
         AND s.at_ms = o.at_ms)`,
    [
      column(({ name }) => name),
      column(({ accountId }) => accountId),
      column(({ recordingId }) => recordingId),
      column(({ sequence }) => sequence),
      column(({ claim }) => claim),
      column(({ atMs }) => atMs),
    ],
  );
  return rows.map(({ name }) => name);
}
