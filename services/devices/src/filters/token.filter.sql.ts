import type { Sql } from '@warren/platform/database/sql';
import { NARROW, type FilterSql } from './filter.sql.ts';

/** The devices that a filter holds for. @param values the ids of the devices to look at, and what the filter has added */
export async function matchingDevices(sql: Sql, condition: FilterSql, values: readonly unknown[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }[]>(
    `SELECT d.id FROM devices d ${NARROW} WHERE d.id = ANY($1::uuid[]) AND ${condition.sql}`,
    [...values],
  );
  return rows.map(({ id }) => id);
}
