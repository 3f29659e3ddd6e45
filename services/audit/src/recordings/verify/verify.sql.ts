import type { Sql } from '@warren/platform/database/sql';

interface Claimed {
  id: string;
  accountId: string;
  stored: number;
}

/** Claims a recording that is over and was not verified for so many days; the never verified first. */
export async function claimUnverified(sql: Sql, days: number): Promise<Claimed | undefined> {
  const [rows] = await sql.query<[Claimed[], number]>(
    `UPDATE recordings r SET verified = now() WHERE r.id = (
       SELECT v.id FROM recordings v WHERE v.ended IS NOT NULL AND (v.verified IS NULL OR v.verified < now() - make_interval(days => $1))
       ORDER BY v.verified NULLS FIRST LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING r.id, r.account_id AS "accountId", r.stored::float8 AS stored`,
    [days],
  );
  return rows[0];
}

/** Keeps the result of a verification; undefined gives the claim back. */
export async function keepResult(sql: Sql, id: string, failed: string | undefined): Promise<void> {
  await sql.query(
    `UPDATE recordings SET failed = coalesce($2, failed), verified = CASE WHEN $2::text IS NULL THEN NULL ELSE verified END WHERE id = $1`,
    [id, failed ?? null],
  );
}

export async function countFailed(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ n: number }[]>(`SELECT count(*)::integer AS n FROM recordings WHERE failed <> ''`);
  return row?.n ?? 0;
}

/** Recordings of an account in order, page by page; of all accounts without one. */
export function recordingIds(
  sql: Sql,
  accountId: string | undefined,
  after: string,
  limit: number,
): Promise<{ id: string; accountId: string }[]> {
  return sql.query(
    `SELECT id, account_id AS "accountId" FROM recordings r WHERE id > $1 AND ($2::uuid IS NULL OR account_id = $2) ORDER BY r.id LIMIT $3`,
    [after, accountId ?? null, limit],
  );
}
