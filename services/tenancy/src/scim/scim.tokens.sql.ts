import type { Sql } from '@warren/platform/database/sql';
import type { ScimTokenEntity } from './scim.token.entity.ts';

/** A token in force, of an account that SCIM may provision. */
export type FoundToken = Pick<ScimTokenEntity, 'id' | 'accountId' | 'name'> & { useDue: boolean };

const COLUMNS = `id, account_id AS "accountId", name, hint, created_by AS "createdBy", created, expires, used, used_from AS "usedFrom"`;

const SELECT_FOUND = `
  SELECT t.id, t.account_id AS "accountId", t.name, t.used IS NULL OR t.used < now() - interval '1 minute' AS "useDue"
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

/** Inserts a token. */
export async function insertToken(
  sql: Sql,
  token: Pick<ScimTokenEntity, 'id' | 'accountId' | 'name' | 'hint' | 'createdBy'> & { hash: string; days: number },
): Promise<ScimTokenEntity> {
  const [row] = await sql.query<ScimTokenEntity[]>(
    `INSERT INTO scim_tokens (id, account_id, name, hash, hint, created_by, expires)
     VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(days => $7)) RETURNING ${COLUMNS}`,
    [token.id, token.accountId, token.name, token.hash, token.hint, token.createdBy, token.days],
  );
  return row as ScimTokenEntity;
}

/** Deletes a token of an account, and keeps its hash to recognise its use. @returns the deleted token */
export async function revokeToken(sql: Sql, accountId: string, id: string): Promise<{ name: string } | undefined> {
  await sql.query(DELETE_OLD_REVOKED, [accountId, KEPT_REVOKED - 1]);
  return (await sql.query<{ name: string }[]>(REVOKE, [accountId, id]))[0];
}

/** Revoked tokens that are kept for an account. */
export const KEPT_REVOKED = 100;

const DELETE_OLD_REVOKED = `
  DELETE FROM revoked_scim_tokens WHERE account_id = $1 AND id IN (
    SELECT id FROM revoked_scim_tokens WHERE account_id = $1 ORDER BY revoked DESC, id DESC OFFSET $2)`;

const REVOKE = `
  WITH gone AS (DELETE FROM scim_tokens WHERE account_id = $1 AND id = $2 RETURNING id, account_id, name, hash)
  INSERT INTO revoked_scim_tokens (id, account_id, name, hash) SELECT id, account_id, name, hash FROM gone RETURNING name`;

const SELECT_REFUSED = `
  SELECT id, account_id AS "accountId", name, CASE WHEN expires <= now() THEN 'expired' ELSE 'account disabled' END AS reason
  FROM scim_tokens WHERE hash = $1
  UNION ALL SELECT id, account_id, name, 'revoked' FROM revoked_scim_tokens WHERE hash = $1`;

/** A known token that is not in force. */
type RefusedToken = Pick<ScimTokenEntity, 'id' | 'accountId' | 'name'> & {
  reason: 'expired' | 'account disabled' | 'revoked';
};

/** Reads a token that is not in force by the hash of its secret. */
export async function refusedToken(sql: Sql, hash: string): Promise<RefusedToken | undefined> {
  return (await sql.query<RefusedToken[]>(SELECT_REFUSED, [hash]))[0];
}
