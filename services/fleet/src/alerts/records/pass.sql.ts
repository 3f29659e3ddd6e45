import type { Sql } from '@warren/platform/database/sql';

/** Seconds that a replica has for its next step before another one may begin a pass. */
const CLAIM_SECONDS = 60;
/** Less than between two passes of one replica. */
const APART_SECONDS = 20;

/** Claims the next pass. @returns false if another replica is at it, or just was */
export async function claimPass(sql: Sql): Promise<boolean> {
  const [rows] = await sql.query<[unknown[], number]>(
    `UPDATE alert_passes SET claimed_until = now() + interval '${CLAIM_SECONDS} seconds', started_at = now()
     WHERE claimed_until < now() AND started_at < now() - interval '${APART_SECONDS} seconds' RETURNING one`,
  );
  return rows.length > 0;
}

/** Keeps the claim during a pass. */
export async function renewClaim(sql: Sql): Promise<void> {
  await sql.query(`UPDATE alert_passes SET claimed_until = now() + interval '${CLAIM_SECONDS} seconds'`);
}

/** Gives the claim up. @param finished whether all rules were looked at */
export async function endPass(sql: Sql, finished: boolean): Promise<void> {
  await sql.query(
    `UPDATE alert_passes SET claimed_until = '-infinity', finished_at = CASE WHEN $1 THEN now() ELSE finished_at END`,
    [finished],
  );
}

/** When all rules were last looked at, by whichever replica, and how many alerts are open. */
export async function readPass(sql: Sql): Promise<{ finished_at: Date; open: Record<string, number> }> {
  const [row] = await sql.query<{ finished_at: Date; open: Record<string, number> | null }[]>(
    `SELECT finished_at, (SELECT jsonb_object_agg(severity, n) FROM (
       SELECT severity, count(*) AS n FROM alerts WHERE state = 'open' GROUP BY severity) counted) AS open
     FROM alert_passes`,
  );
  return { finished_at: row?.finished_at ?? new Date(0), open: row?.open ?? {} };
}

const BATCH = 5_000;

/** What is dropped, and when. */
const KEPT: readonly [table: string, old: string][] = [
  ['alerts', `state = 'closed' AND closed_at < now() - interval '13 months'`],
  ['alert_changes', `created_at < now() - interval '31 days'`],
  ['alert_silences', `until < now() - interval '31 days'`],
];

/** Drops a batch of what is past its retention. */
export async function sweep(sql: Sql): Promise<void> {
  for (const [table, old] of KEPT)
    await sql.query(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${old} LIMIT ${BATCH})`);
}
