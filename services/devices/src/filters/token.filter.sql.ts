import type { Sql } from '@warren/platform/database/sql';
import type { FilterSql } from './filter.sql.ts';

/** Whether a filter holds for a device. @param values the id of the device, and what the filter has added */
export async function matchesDevice(sql: Sql, condition: FilterSql, values: readonly unknown[]): Promise<boolean> {
  const facts = condition.usesFacts ? 'LEFT JOIN device_facts f ON f.device_id = d.id' : '';
  const rows = await sql.query<unknown[]>(`SELECT 1 FROM devices d ${facts} WHERE d.id = $1 AND ${condition.sql}`, [
    ...values,
  ]);
  return rows.length > 0;
}
