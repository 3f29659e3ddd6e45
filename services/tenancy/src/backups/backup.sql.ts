import type { Sql } from '@warren/platform/database/sql';

const LAST = `
  SELECT extract(epoch FROM succeeded_at)::float8 AS succeeded,
    extract(epoch FROM coalesce(succeeded_at, since))::float8 AS counted
  FROM backups`;

/** When the last backup succeeded, and from when on the next one's age counts; seconds since 1970. */
export interface BackupTimes {
  succeeded: number | null;
  counted: number;
}

export async function lastBackup(sql: Sql): Promise<BackupTimes | undefined> {
  const [row] = await sql.query<BackupTimes[]>(LAST);
  return row;
}
