import type { Sql } from '@warren/platform/database/sql';

/** A row of `scim_tokens`. */
export interface ScimTokenRow {
  id: string;
  account_id: string;
  name: string;
  hint: string;
  created_by: string;
  created: Date;
  expires: Date;
  used: Date | null;
  used_from: string;
}

/** A token in force, of an account that SCIM may provision. */
export type FoundToken = Pick<ScimTokenRow, 'id' | 'account_id' | 'name'> & { use_due: boolean };

const COLUMNS = 'id, account_id, name, hint, created_by, created, expires, used, used_from';

const SELECT_FOUND = `
  SELECT t.id, t.account_id, t.name, t.used IS NULL OR t.used < now() - interval '1 minute' AS use_due
  FROM scim_tokens t JOIN accounts a ON a.id = t.account_id
  WHERE t.expires > now() AND a.status = 'Active' AND NOT a.operator`;

/** Reads a token in force by the hash of its secret. */
export async function tokenOfHash(sql: Sql, hash: string): Promise<FoundToken | undefined> {
  return (await sql.query<FoundToken[]>(`${SELECT_FOUND} AND t.hash = $1`, [hash]))[0];
}

/** Reads a token in force. Its row stays locked until the transaction ends, so that revoking it waits for the change. */
export async function holdToken(sql: Sql, id: string): Promise<FoundToken | undefined> {
  return (await sql.query<FoundToken[]>(`${SELECT_FOUND} AND t.id = $1 FOR KEY SHARE OF t`, [id]))[0];
}

/** Stores when and from where a token was used. */
export async function noteUse(sql: Sql, token: Pick<FoundToken, 'id' | 'account_id'>, from: string): Promise<void> {
  const text = 'UPDATE scim_tokens SET used = now(), used_from = $3 WHERE account_id = $1 AND id = $2';
  await sql.query(text, [token.account_id, token.id, from]);
}

/** Lists the tokens of an account, newest first, with those that have expired. */
export function tokensOf(sql: Sql, accountId: string): Promise<ScimTokenRow[]> {
  return sql.query(`SELECT ${COLUMNS} FROM scim_tokens WHERE account_id = $1 ORDER BY created DESC, id`, [accountId]);
}

/** Inserts a token. */
export async function insertToken(
  sql: Sql,
  token: Pick<ScimTokenRow, 'id' | 'account_id' | 'name' | 'hint' | 'created_by'> & { hash: string; days: number },
): Promise<ScimTokenRow> {
  const [row] = await sql.query<ScimTokenRow[]>(
    `INSERT INTO scim_tokens (id, account_id, name, hash, hint, created_by, expires)
     VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(days => $7)) RETURNING ${COLUMNS}`,
    [token.id, token.account_id, token.name, token.hash, token.hint, token.created_by, token.days],
  );
  return row as ScimTokenRow;
}

/** Deletes a token of an account. @returns the deleted token */
export async function deleteToken(sql: Sql, accountId: string, id: string): Promise<{ name: string } | undefined> {
  const [rows] = await sql.query<[{ name: string }[], number]>(
    'DELETE FROM scim_tokens WHERE account_id = $1 AND id = $2 RETURNING name',
    [accountId, id],
  );
  return rows[0];
}
