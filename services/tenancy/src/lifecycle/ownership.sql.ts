import type { Sql } from '@warren/platform/database/sql';

/** Whether an account has an owner, or an invited one. @param owners its group of owners */
export async function hasOwner(sql: Sql, accountId: string, owners: string): Promise<boolean> {
  const [taken] = await sql.query<unknown[]>(
    `SELECT FROM users WHERE account_id = $1 AND group_id = $2
     UNION ALL
     SELECT FROM invitations WHERE account_id = $1 AND group_id = $2 AND expires > now()
     LIMIT 1`,
    [accountId, owners],
  );
  return taken !== undefined;
}
