import type { Sql } from '@warren/platform/database/sql';
import type { SealedRow } from '@warren/platform/secrets/sealed.columns';
import type { RecordingKeyEntity } from './key.entity.ts';

/** Inserts a key, unless the account has one of that version. */
export async function insertKey(sql: Sql, key: Omit<RecordingKeyEntity, 'created'>): Promise<void> {
  await sql.query(
    'INSERT INTO recording_keys (id, account_id, version, secret) VALUES ($1, $2, $3, $4) ON CONFLICT (account_id, version) DO NOTHING',
    [key.id, key.accountId, key.version, key.secret],
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
