import type { Sql } from '@warren/platform/database/sql';
import type { AuditRow } from './audit.event.ts';

const INSERT = `
  INSERT INTO audit (id, time, action, actor, detail, remote_address, user_agent)
  SELECT id, time, action, actor, detail, remote_address, user_agent FROM jsonb_to_recordset($1) AS event
    (id uuid, time timestamptz, action text, actor text, detail text, remote_address text, user_agent text)
  ON CONFLICT (id) DO NOTHING`;

/** Writes rows in one statement, and skips existing ones. */
export async function insertEvents(sql: Sql, rows: readonly AuditRow[]): Promise<void> {
  await sql.query(INSERT, [JSON.stringify(rows)]);
}
