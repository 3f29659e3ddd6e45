import type { Sql } from '@warren/platform/database/sql';

/** Sets why nothing deletes a recording; `since` null: nothing keeps it. */
export async function setHold(
  sql: Sql,
  { id, accountId }: { id: string; accountId: string },
  { since, by, reason }: { since: Date | null; by: string; reason: string },
): Promise<void> {
  await sql.query(
    'UPDATE recordings SET held_since = $3, held_by = $4, held_reason = $5 WHERE id = $1 AND account_id = $2',
    [id, accountId, since, by, reason],
  );
}
