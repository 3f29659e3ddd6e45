import type { Page } from '@warren/platform/database/page';
import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';

/** A row of `api_tokens`. */
export interface TokenRow {
  id: string;
  name: string;
  /** In lower case. */
  email: string;
  user_id: string;
  account_id: string;
  permissions: string[];
  filter: string;
  hint: string;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
  used_from: string;
  /** Name of the service account whose it is; empty for a token of a user. */
  service_account: string;
}

/** A token that its secret was presented for. */
export interface FoundToken extends TokenRow {
  revoked: boolean;
  expired: boolean;
}

/** What a new token has. */
export type NewToken = Omit<TokenRow, 'created_at' | 'expires_at' | 'used_at' | 'used_from'> & {
  hash: string;
  days: number;
  /** The token that it is made by; undefined for a person. */
  made_by?: string;
};

/** A token that was revoked. */
export type RevokedToken = Pick<TokenRow, 'id' | 'name' | 'email' | 'account_id'> & { hash: string };

/** Which tokens to revoke: all conditions hold; one that is absent says nothing. */
export interface Revocation {
  id?: string;
  userId?: string;
  accountId?: string;
  /** Not of this account: what is left of an account that the user was moved out of. */
  outside?: string;
}

/** Revoked and expired tokens of a person that are kept; so long. */
const KEPT = 100;
const KEPT_DAYS = 30;

const COLUMNS = `id, name, email, user_id, account_id, permissions, filter, hint, created_at, expires_at, used_at, used_from,
  service_account`;
const IN_FORCE = 'revoked_at IS NULL AND expires_at > now()';

export async function findToken(sql: Sql, hash: string): Promise<FoundToken | undefined> {
  const [row] = await sql.query<FoundToken[]>(
    `SELECT ${COLUMNS}, revoked_at IS NOT NULL AS revoked, expires_at <= now() AS expired FROM api_tokens WHERE hash = $1`,
    [hash],
  );
  return row;
}

/** Notes the use of a token that is in force. It waits for a revocation that has not committed. @returns false for a token that is not */
export async function noteUse(sql: Sql, id: string, from: string): Promise<boolean> {
  const [rows] = await sql.query<[{ id: string }[], number]>(
    `UPDATE api_tokens SET used_at = now(), used_from = $2 WHERE id = $1 AND ${IN_FORCE} RETURNING id`,
    [id, from],
  );
  return rows.length > 0;
}

/** Counts tokens in force, under a lock, so that simultaneous requests don't exceed a limit. */
export async function countTokens(
  manager: EntityManager,
  { user_id: userId, account_id: accountId }: Pick<TokenRow, 'user_id' | 'account_id'>,
): Promise<{ owner: number; account: number }> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('api_tokens'), hashtext($1))`, [accountId]);
  const [row] = await manager.query<{ owner: number; account: number }[]>(
    `SELECT count(*) FILTER (WHERE user_id = $1)::int AS owner, count(*)::int AS account
     FROM api_tokens WHERE account_id = $2 AND ${IN_FORCE}`,
    [userId, accountId],
  );
  return row ?? { owner: 0, account: 0 };
}

/**
 * Holds a token in force until the transaction ends: a revocation of it waits, and then finds what it has made.
 * @returns the whole days that it is still in force; undefined for one that is not
 */
export async function holdMaker(manager: EntityManager, id: string): Promise<number | undefined> {
  const [row] = await manager.query<{ days: number }[]>(
    `SELECT floor(extract(epoch FROM expires_at - now()) / 86400)::int AS days FROM api_tokens
     WHERE id = $1 AND ${IN_FORCE} FOR SHARE`,
    [id],
  );
  return row?.days;
}

export async function insertToken(manager: EntityManager, token: NewToken): Promise<TokenRow> {
  const { id, hash, hint, name, user_id: userId, email, account_id: accountId, permissions, filter, days } = token;
  const { service_account: serviceAccount, made_by: madeBy = null } = token;
  const [row] = await manager.query<TokenRow[]>(
    `INSERT INTO api_tokens (id, hash, hint, name, user_id, email, account_id, permissions, filter, expires_at, service_account, made_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(days => $10), $11, $12)
     RETURNING ${COLUMNS}`,
    [id, hash, hint, name, userId, email, accountId, permissions, filter, days, serviceAccount, madeBy],
  );
  return row as TokenRow;
}

/** Deletes what has been revoked or expired for long, and what a person has too much of. */
export async function deleteFormerTokens(manager: EntityManager, userId: string): Promise<void> {
  await manager.query(
    `DELETE FROM api_tokens WHERE id IN (
       SELECT id FROM (
         SELECT id, LEAST(revoked_at, expires_at) AS ended, row_number() OVER (ORDER BY created_at DESC, id) AS place
         FROM api_tokens WHERE user_id = $1 AND NOT (${IN_FORCE})
       ) former WHERE place > ${KEPT} OR ended < now() - make_interval(days => ${KEPT_DAYS})
     )`,
    [userId],
  );
}

/** Lists the tokens of a person that are not revoked, newest first. @param id only this one, if it is theirs */
export function listTokensOf(
  sql: Sql,
  { userId, accountId, id }: { userId: string; accountId: string; id?: string | undefined },
): Promise<TokenRow[]> {
  return sql.query(
    `SELECT ${COLUMNS} FROM api_tokens
     WHERE user_id = $1 AND account_id = $2 AND revoked_at IS NULL AND ($3::uuid IS NULL OR id = $3)
     ORDER BY created_at DESC, id LIMIT ${KEPT}`,
    [userId, accountId, id ?? null],
  );
}

/** A page of the tokens of an account, or of all, that are not revoked, newest first, and their number. */
export async function listTokens(
  sql: Sql,
  accountId: string | undefined,
  { limit, offset, pattern }: Page,
): Promise<{ tokens: TokenRow[]; total: number }> {
  const where = `revoked_at IS NULL AND ($1::uuid IS NULL OR account_id = $1)
    AND ($2::text IS NULL OR lower(name) LIKE $2 OR email LIKE $2 OR lower(service_account) LIKE $2)`;
  const values = [accountId ?? null, pattern ?? null];
  const [tokens, counts] = await Promise.all([
    sql.query<TokenRow[]>(
      `SELECT ${COLUMNS} FROM api_tokens WHERE ${where} ORDER BY created_at DESC, id LIMIT ${limit} OFFSET ${offset}`,
      values,
    ),
    sql.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM api_tokens WHERE ${where}`, values),
  ]);
  return { tokens, total: counts[0]?.n ?? 0 };
}

const REVOKED = 'id, name, email, account_id, hash';

/** Revokes tokens that are not revoked yet, and those that they have made, which make none. */
export async function revokeTokens(manager: EntityManager, of: Revocation): Promise<RevokedToken[]> {
  const [rows] = await manager.query<[RevokedToken[], number]>(
    `UPDATE api_tokens SET revoked_at = now()
     WHERE revoked_at IS NULL AND ($1::uuid IS NULL OR id = $1) AND ($2::uuid IS NULL OR user_id = $2)
       AND ($3::uuid IS NULL OR account_id = $3) AND ($4::uuid IS NULL OR account_id <> $4)
     RETURNING ${REVOKED}`,
    [of.id ?? null, of.userId ?? null, of.accountId ?? null, of.outside ?? null],
  );
  if (rows.length === 0) return rows;
  // A statement of its transaction that begins later sees what a maker has made meanwhile.
  const [made] = await manager.query<[RevokedToken[], number]>(
    `UPDATE api_tokens SET revoked_at = now() WHERE revoked_at IS NULL AND made_by = ANY($1::uuid[]) RETURNING ${REVOKED}`,
    [rows.map(({ id }) => id)],
  );
  return [...rows, ...made];
}

/** The account of a token that is not revoked. */
export async function accountOfToken(sql: Sql, id: string, accountId: string | undefined): Promise<string | undefined> {
  const [row] = await sql.query<{ account_id: string }[]>(
    'SELECT account_id FROM api_tokens WHERE id = $1 AND revoked_at IS NULL AND ($2::uuid IS NULL OR account_id = $2)',
    [id, accountId ?? null],
  );
  return row?.account_id;
}

/** Deletes all tokens of a person. */
export async function deleteTokensOf(sql: Sql, userId: string): Promise<void> {
  await sql.query('DELETE FROM api_tokens WHERE user_id = $1', [userId]);
}
