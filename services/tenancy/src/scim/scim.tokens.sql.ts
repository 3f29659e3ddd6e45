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

export async function tokenOfHash(sql: Sql, hash: string): Promise<FoundToken | undefined> {
  return (await sql.query<FoundToken[]>(`${SELECT_FOUND} AND t.hash = $1`, [hash]))[0];
}

export async function tokenOfId(sql: Sql, id: string): Promise<FoundToken | undefined> {
  return (await sql.query<FoundToken[]>(`${SELECT_FOUND} AND t.id = $1`, [id]))[0];
}

export async function noteUse(sql: Sql, id: string, from: string): Promise<void> {
  await sql.query('UPDATE scim_tokens SET used = now(), used_from = $2 WHERE id = $1', [id, from]);
}

/** Those of an account, newest first; those that have expired too. */
export function tokensOf(sql: Sql, accountId: string): Promise<ScimTokenRow[]> {
  return sql.query(`SELECT ${COLUMNS} FROM scim_tokens WHERE account_id = $1 ORDER BY created DESC, id`, [accountId]);
}

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

/** @returns the deleted token */
export async function deleteToken(sql: Sql, accountId: string, id: string): Promise<{ name: string } | undefined> {
  const [rows] = await sql.query<[{ name: string }[], number]>(
    'DELETE FROM scim_tokens WHERE account_id = $1 AND id = $2 RETURNING name',
    [accountId, id],
  );
  return rows[0];
}
