import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';
import type { TokenEntity } from './token.entity.ts';

/** A token that was revoked. */
export type RevokedToken = Pick<TokenEntity, 'id' | 'name' | 'email' | 'accountId' | 'hash'>;

/** Which tokens to revoke: all conditions hold; one that is absent says nothing. */
export interface Revocation {
  id?: string;
  userId?: string;
  accountId?: string;
  /** Not of this account: what is left of an account that the user was moved out of. */
  outside?: string;
}

/** Revoked and expired tokens of a person that are kept; so long. */
export const KEPT = 100;
const KEPT_DAYS = 30;

const IN_FORCE = 'revoked_at IS NULL AND expires_at > now()';

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
  { userId, accountId }: Pick<TokenEntity, 'userId' | 'accountId'>,
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

const REVOKED = 'id, name, email, account_id AS "accountId", hash';

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
