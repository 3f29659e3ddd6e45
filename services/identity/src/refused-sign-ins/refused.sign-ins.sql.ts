import type { Sql } from '@warren/platform/database/sql';

/** Deletes refused sign-ins that are older than `days`, or not among the newest `most` of their provider and kind. */
export async function deleteSurplus(
  sql: Sql,
  { provider, kind, most, days }: { provider: string; kind: string; most: number; days: number },
): Promise<void> {
  await sql.query(
    `DELETE FROM refused_sign_ins
     WHERE time < now() - make_interval(days => $4)
       OR id IN (SELECT id FROM refused_sign_ins WHERE provider = $1 AND kind = $2 ORDER BY id DESC OFFSET $3)`,
    [provider, kind, most, days],
  );
}
