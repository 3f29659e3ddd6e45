import type { Sql } from '@warren/platform/database/sql';
import type { SealedRow } from '@warren/platform/secrets/sealed.columns';

export interface KeyRow {
  id: string;
  accountId: string;
  version: number;
  secret: Buffer;
}

const COLUMNS = 'id, account_id AS "accountId", version, secret';

/** The newest key of an account, with its age in days. */
export async function newestKey(sql: Sql, accountId: string): Promise<(KeyRow & { days: number }) | undefined> {
  const [row] = await sql.query<(KeyRow & { days: number })[]>(
    `SELECT ${COLUMNS}, (extract(epoch FROM now() - created) / 86400)::float8 AS days
     FROM recording_keys k WHERE account_id = $1 ORDER BY k.version DESC LIMIT 1`,
    [accountId],
  );
  return row;
}

export async function findKey(sql: Sql, accountId: string, version: number): Promise<KeyRow | undefined> {
  const [row] = await sql.query<KeyRow[]>(
    `SELECT ${COLUMNS} FROM recording_keys WHERE account_id = $1 AND version = $2`,
    [accountId, version],
  );
  return row;
}

/** Inserts a key, unless the account has one of that version. */
export async function insertKey(sql: Sql, { id, accountId, version, secret }: KeyRow): Promise<void> {
  await sql.query(
    'INSERT INTO recording_keys (id, account_id, version, secret) VALUES ($1, $2, $3, $4) ON CONFLICT (account_id, version) DO NOTHING',
    [id, accountId, version, secret],
  );
}

/** Keys that may be sealed with a former key, page by page. */
export async function sealedKeys(sql: Sql, after: string, limit: number): Promise<SealedRow[]> {
  const rows = await sql.query<{ id: string; secret: Buffer }[]>(
    'SELECT id, secret FROM recording_keys k WHERE id > $1 ORDER BY k.id LIMIT $2',
    [after, limit],
  );
  return rows.map((row) => ({ ...row, url: null, formerSecret: null }));
}

/** Replaces a sealed key, unless it was changed meanwhile. */
export async function replaceKey(sql: Sql, former: SealedRow, fresh: Omit<SealedRow, 'id'>): Promise<void> {
  await sql.query('UPDATE recording_keys SET secret = $3 WHERE id = $1 AND secret = $2', [
    former.id,
    former.secret,
    fresh.secret,
  ]);
}

/** Deletes the keys of accounts that have no recording any more, nor objects of one. */
export async function deleteKeys(sql: Sql, accounts: readonly string[]): Promise<void> {
  await sql.query(
    `DELETE FROM recording_keys k WHERE account_id = ANY($1::uuid[])
     AND NOT EXISTS (SELECT FROM recordings r WHERE r.account_id = k.account_id)`,
    [accounts],
  );
}
