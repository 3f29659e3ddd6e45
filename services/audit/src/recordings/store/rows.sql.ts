import type { Sql } from '@warren/platform/database/sql';
import { prepared } from '@warren/platform/database/prepared';
import type { RecordingHeader } from './chunk.ts';

/** A recording as it is stored. Offsets and times are numbers: they stay below 2^53. */
export interface RecordingRow extends RecordingHeader {
  deviceName: string;
  policy: number;
  cols: number;
  rows: number;
  claim: number;
  next: number;
  chunks: number;
  bytes: number;
  stored: number;
  durationMs: number;
  gaps: number;
  gapBytes: number;
  hash: Buffer;
  ended: Date | null;
  exit: number | null;
  reason: string;
  keyId: string;
  signature: Buffer;
  heldSince: Date | null;
  heldBy: string;
  heldReason: string;
  searchable: number;
}

export const RECORDING_COLUMNS = `r.id, r.account_id AS "accountId", r.device_id AS "deviceId", r.device_name AS "deviceName", r.terminal, r.kind,
  r.user_id AS "userId", r.user_email AS "userEmail", r.started, r.policy, r.cols, r.rows, r.claim, r.next_offset::float8 AS next, r.chunks,
  r.bytes::float8 AS bytes, r.stored::float8 AS stored, r.duration_ms::float8 AS "durationMs", r.gaps, r.gap_bytes::float8 AS "gapBytes",
  r.hash, r.ended, r.exit_code AS exit, r.reason, r.key_id AS "keyId", r.signature, r.held_since AS "heldSince", r.held_by AS "heldBy",
  r.held_reason AS "heldReason", r.searchable::float8 AS searchable`;

type Session = Pick<RecordingHeader, 'accountId' | 'deviceId' | 'terminal' | 'kind'>;

/** Takes over the recording of a session: writers that had claimed it before are refused from then on. */
export async function claimRecording(sql: Sql, session: Session): Promise<RecordingRow | undefined> {
  const { accountId, deviceId, terminal, kind } = session;
  const [rows] = await sql.query<[RecordingRow[], number]>(
    `UPDATE recordings r SET claim = r.claim + CASE WHEN r.ended IS NULL THEN 1 ELSE 0 END, last_at = now()
     WHERE account_id = $1 AND device_id = $2 AND terminal = $3 AND kind = $4 RETURNING ${RECORDING_COLUMNS}`,
    [accountId, deviceId, terminal, kind],
  );
  return rows[0];
}

type Fresh = RecordingHeader & Pick<RecordingRow, 'deviceName' | 'policy' | 'cols' | 'rows' | 'hash'>;

/** Inserts a recording. @returns false if the session has one */
export async function insertRecording(sql: Sql, fresh: Fresh): Promise<boolean> {
  const rows = await sql.query<unknown[]>(
    `INSERT INTO recordings (id, account_id, device_id, device_name, terminal, kind, user_id, user_email, started, policy, cols, rows, hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING RETURNING true`,
    [
      fresh.id,
      fresh.accountId,
      fresh.deviceId,
      fresh.deviceName,
      fresh.terminal,
      fresh.kind,
      fresh.userId,
      fresh.userEmail,
      fresh.started,
      fresh.policy,
      fresh.cols,
      fresh.rows,
      fresh.hash,
    ],
  );
  return rows.length > 0;
}

/** A chunk whose content is durable. */
export interface ChunkRow {
  accountId: string;
  recordingId: string;
  sequence: number;
  claim: number;
  from: number;
  to: number;
  fromMs: number;
  toMs: number;
  size: number;
  stored: number;
  keyVersion: number;
  hash: Buffer;
}

/** What a chunk adds to its recording. */
export interface ChunkSums {
  bytes: number;
  gaps: number;
  gapBytes: number;
}

const ADVANCE = prepared(`
  UPDATE recordings SET next_offset = $5, chunks = chunks + 1, bytes = bytes + $6, stored = stored + $7, gaps = gaps + $8,
    gap_bytes = gap_bytes + $9, duration_ms = greatest(duration_ms, $10), hash = $11, last_at = now()
  WHERE id = $1 AND account_id = $2 AND claim = $3 AND chunks = $4 AND ended IS NULL AND next_offset = $12 RETURNING id`);

const INSERT_CHUNK = prepared(`
  INSERT INTO recording_chunks (recording_id, account_id, sequence, claim, from_offset, to_offset, from_ms, to_ms, size, stored, key_version, hash)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`);

/** Appends a chunk, if its writer still has the claim and it follows what is there. @returns false otherwise */
export async function appendChunk(sql: Sql, chunk: ChunkRow, sums: ChunkSums): Promise<boolean> {
  const { recordingId, accountId, sequence, claim, from, to, fromMs, toMs, size, stored, keyVersion, hash } = chunk;
  const { bytes, gaps, gapBytes } = sums;
  const advanced = [recordingId, accountId, claim, sequence, to, bytes, stored, gaps, gapBytes, toMs, hash, from];
  const [rows] = await sql.query<[unknown[], number]>(ADVANCE, advanced);
  if (rows.length === 0) return false;
  const inserted = [recordingId, accountId, sequence, claim, from, to, fromMs, toMs, size, stored, keyVersion, hash];
  await sql.query(INSERT_CHUNK, inserted);
  return true;
}

/** Locks live recordings of an account for which no writer did anything for so long. @param kind 0: of all kinds */
export function lockAbandoned(
  sql: Sql,
  accountId: string,
  { kind, minutes }: { kind: number; minutes: number },
  limit: number,
): Promise<RecordingRow[]> {
  return sql.query(
    `SELECT ${RECORDING_COLUMNS} FROM recordings r WHERE r.account_id = $1 AND r.ended IS NULL AND ($2 = 0 OR r.kind = $2)
       AND r.last_at < now() - make_interval(mins => $3) LIMIT $4 FOR UPDATE SKIP LOCKED`,
    [accountId, kind, minutes, limit],
  );
}

/** Locks a recording that a writer has claimed. @returns undefined if it has not, or it is closed */
export async function lockClaimed(
  sql: Sql,
  { id, accountId, claim }: { id: string; accountId: string; claim: number },
): Promise<RecordingRow | undefined> {
  const [row] = await sql.query<RecordingRow[]>(
    `SELECT ${RECORDING_COLUMNS} FROM recordings r WHERE id = $1 AND account_id = $2 AND claim = $3 AND ended IS NULL FOR UPDATE`,
    [id, accountId, claim],
  );
  return row;
}

/** @returns false if another writer has claimed it, or it is closed */
export async function touchRecording(
  sql: Sql,
  { id, accountId, claim }: { id: string; accountId: string; claim: number },
): Promise<boolean> {
  const [, count] = await sql.query<[unknown[], number]>(
    'UPDATE recordings SET last_at = now() WHERE id = $1 AND account_id = $2 AND claim = $3 AND ended IS NULL',
    [id, accountId, claim],
  );
  return count > 0;
}

type End = Pick<RecordingRow, 'id' | 'accountId' | 'ended' | 'exit' | 'reason' | 'keyId' | 'signature'>;

export async function closeRecording(sql: Sql, end: End): Promise<void> {
  await sql.query(
    `UPDATE recordings SET ended = $3, exit_code = $4, reason = $5, key_id = $6, signature = $7
     WHERE id = $1 AND account_id = $2`,
    [end.id, end.accountId, end.ended, end.exit, end.reason, end.keyId, end.signature],
  );
}
