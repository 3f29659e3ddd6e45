import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';

/** A rule or a silence whose filter may name saved ones. */
export interface UseRow {
  id: string;
  is_rule: boolean;
  name: string;
  filter: string;
}

/** Reads the rules and silences of an account that may name saved filters, once those that are being written are there. */
export async function readUses(manager: EntityManager, accountId: string): Promise<UseRow[]> {
  for (const table of ['alert_rules', 'alert_silences'])
    await manager.query(`SELECT pg_advisory_xact_lock_shared(hashtext('${table}'), hashtext($1))`, [accountId]);
  return manager.query(
    `SELECT id, true AS is_rule, name, filter FROM alert_rules WHERE account_id = $1 AND filter LIKE '%in:%'
     UNION ALL
     SELECT id, false, COALESCE(NULLIF(reason, ''), filter), filter FROM alert_silences
     WHERE account_id = $1 AND until > now() AND filter LIKE '%in:%'
     ORDER BY is_rule DESC, name, id`,
    [accountId],
  );
}

/** Tells whether rules or silences of an account may name saved filters. */
export async function usesAny(sql: Sql, accountId: string): Promise<boolean> {
  const [row] = await sql.query<{ uses: boolean }[]>(
    `SELECT EXISTS (SELECT FROM alert_rules WHERE account_id = $1 AND filter LIKE '%in:%')
       OR EXISTS (SELECT FROM alert_silences WHERE account_id = $1 AND until > now() AND filter LIKE '%in:%') AS uses`,
    [accountId],
  );
  return row?.uses ?? false;
}
