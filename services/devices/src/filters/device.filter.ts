import { invalidInput, shownValue } from '@warren/platform/errors/fault';
import type { FieldTerm, Filter } from '@warren/rules/filter/filter';
import { holdsForVersion } from '@warren/rules/filter/match';
import { parseFilter } from '@warren/rules/filter/parse';
import { filterSql, type FilterSql } from './filter.sql.ts';

/** Runs a query; a DataSource or an EntityManager. */
interface Database {
  query<T>(sql: string, values?: unknown[]): Promise<T>;
}

/** Reads the distinct versions by stepping through the index, one look-up for each. */
const VERSIONS = `
  WITH RECURSIVE step AS (
    (SELECT agent_version FROM devices ORDER BY agent_version LIMIT 1)
    UNION ALL
    SELECT (SELECT d.agent_version FROM devices d WHERE d.agent_version > step.agent_version ORDER BY d.agent_version LIMIT 1)
    FROM step WHERE step.agent_version IS NOT NULL
  )
  SELECT agent_version FROM step WHERE agent_version IS NOT NULL LIMIT 1000`;

/**
 * Parses the filter of a request.
 * @param field its name, for the error
 * @throws Fault `invalid_argument` that names the wrong part and its place
 */
export function requireFilter(text: string, field = 'filter'): Filter {
  const parsed = parseFilter(text);
  if (parsed.ok) return parsed.filter;
  const [error] = parsed.errors;
  const place = error ? ` (at character ${error.from + 1})` : '';
  throw invalidInput({ field, message: `${error?.message ?? 'wrong.'}${place}`, value: shownValue(text) });
}

/** Compiles a filter to a condition over `devices d` and `device_facts f`, whose parameters are appended to `values`. */
export async function compileFilter(database: Database, filter: Filter, values: unknown[]): Promise<FilterSql> {
  if (!comparesVersions(filter)) return filterSql(filter, values, () => []);
  const rows = await database.query<{ agent_version: string }[]>(VERSIONS);
  const versionsOf = (term: FieldTerm) =>
    rows.map((row) => row.agent_version).filter((version) => holdsForVersion(term, version));
  return filterSql(filter, values, versionsOf);
}

function comparesVersions(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.some(comparesVersions);
    case 'not':
      return comparesVersions(filter.term);
    case 'field':
      return filter.field === 'agent';
    default:
      return false;
  }
}
