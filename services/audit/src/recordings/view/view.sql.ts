import type { Sql } from '@warren/platform/database/sql';
import { RECORDING_COLUMNS, type RecordingRow } from '../store/rows.sql.ts';

/** Which recordings: each given condition holds. */
export interface RecordingConditions {
  /** Undefined: of all accounts. */
  accountId: string | undefined;
  /** Only of this person. */
  ownerId: string | undefined;
  deviceId: string;
  /** Id or e-mail address. */
  person: string;
  from: Date | undefined;
  to: Date | undefined;
  live: boolean | undefined;
  held: boolean | undefined;
  kind: number;
  ids?: readonly string[];
}

/** A recording with the days that its account keeps it. */
export type ShownRow = RecordingRow & { days: number | null };

const SHOWN = `SELECT ${RECORDING_COLUMNS}, s.days FROM recordings r LEFT JOIN recording_settings s ON s.account_id = r.account_id`;

/** Lists recordings, newest first, after a cursor. */
export function listRecordings(
  sql: Sql,
  conditions: RecordingConditions,
  page: { cursor: string | undefined; limit: number },
): Promise<ShownRow[]> {
  const values: unknown[] = [];
  const add = (value: unknown) => `$${values.push(value)}`;
  const where = [...conditionsOf(conditions, add), ...(page.cursor ? [`r.id < ${add(page.cursor)}`] : [])];
  return sql.query(
    `${SHOWN} WHERE ${['true', ...where].join(' AND ')} ORDER BY r.id DESC LIMIT ${add(page.limit)}`,
    values,
  );
}

/** The conditions as SQL about `r`. @param add adds a parameter, and returns its place */
export function conditionsOf(conditions: RecordingConditions, add: (value: unknown) => string): string[] {
  const { accountId, ownerId, deviceId, person, from, to, live, held, kind, ids } = conditions;
  return [
    accountId !== undefined && `r.account_id = ${add(accountId)}`,
    ownerId !== undefined && `r.user_id = ${add(ownerId)}`,
    deviceId !== '' && `r.device_id = ${add(deviceId)}`,
    person !== '' &&
      (person.includes('@') ? `r.user_email = ${add(person.toLowerCase())}` : `r.user_id = ${add(person)}`),
    from && `r.started >= ${add(from)}`,
    to && `r.started < ${add(to)}`,
    live !== undefined && `r.ended IS ${live ? '' : 'NOT '}NULL`,
    held !== undefined && `r.held_since IS ${held ? 'NOT ' : ''}NULL`,
    kind !== 0 && `r.kind = ${add(kind)}`,
    ids && `r.id = ANY(${add(ids)}::uuid[])`,
  ].filter((one): one is string => typeof one === 'string');
}

/** One recording. @param accountId undefined: in any account */
export async function findRecording(
  sql: Sql,
  id: string,
  accountId: string | undefined,
): Promise<ShownRow | undefined> {
  const [row] = await sql.query<ShownRow[]>(`${SHOWN} WHERE r.id = $1 AND ($2::uuid IS NULL OR r.account_id = $2)`, [
    id,
    accountId ?? null,
  ]);
  return row;
}

/** Where a chunk is, and what it is bound to. */
export interface StoredChunk {
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

const CHUNK_COLUMNS = `sequence, claim, from_offset::float8 AS "from", to_offset::float8 AS "to", from_ms::float8 AS "fromMs",
  to_ms::float8 AS "toMs", size, stored, key_version AS "keyVersion", hash`;

interface Of {
  accountId: string;
  recordingId: string;
}

/** The chunks of a recording from a sequence on, in order. */
export function chunksFrom(
  sql: Sql,
  { accountId, recordingId }: Of,
  sequence: number,
  limit: number,
): Promise<StoredChunk[]> {
  return sql.query(
    `SELECT ${CHUNK_COLUMNS} FROM recording_chunks c WHERE recording_id = $1 AND account_id = $2 AND sequence >= $3
     ORDER BY c.sequence LIMIT $4`,
    [recordingId, accountId, sequence, limit],
  );
}

/** Where a snapshot is. */
export interface StoredSnapshot {
  atMs: number;
  offset: number;
  sequence: number;
  cols: number;
  rows: number;
  size: number;
  keyVersion: number;
}

/** The last snapshot at a time or before it. */
export async function snapshotBefore(
  sql: Sql,
  { accountId, recordingId }: Of,
  atMs: number,
): Promise<StoredSnapshot | undefined> {
  const [row] = await sql.query<StoredSnapshot[]>(
    `SELECT at_ms::float8 AS "atMs", at_offset::float8 AS "offset", sequence, cols, rows, size, key_version AS "keyVersion"
     FROM recording_snapshots s WHERE recording_id = $1 AND account_id = $2 AND s.at_ms <= $3 ORDER BY s.at_ms DESC LIMIT 1`,
    [recordingId, accountId, atMs],
  );
  return row;
}

/** Notes that a person reads a recording. @returns false if they have in the last hour */
export async function noteView(sql: Sql, { accountId, recordingId }: Of, viewer: string): Promise<boolean> {
  const rows = await sql.query<unknown[]>(
    `INSERT INTO recording_views AS v (recording_id, account_id, viewer, hour) VALUES ($1, $2, $3, now())
     ON CONFLICT (recording_id, viewer) DO UPDATE SET hour = excluded.hour WHERE v.hour < now() - interval '1 hour' RETURNING true`,
    [recordingId, accountId, viewer],
  );
  return rows.length > 0;
}
