import type { Sql } from '@warren/platform/database/sql';

/** A row of the table that the audit trail was before it had a service. */
export interface FormerTrailRow {
  id: string;
  time: Date;
  action: string;
  actor: string;
  detail: string;
  remote_address: string;
  user_agent: string;
}

/** Reads rows in the order of their ids, which is by time. @param after the last id of the page before */
export function formerRows(sql: Sql, after: string, limit: number): Promise<FormerTrailRow[]> {
  return sql.query(
    `SELECT id, time, action, actor, detail, remote_address, user_agent FROM audit WHERE id > $1 ORDER BY id LIMIT $2`,
    [after, limit],
  );
}
