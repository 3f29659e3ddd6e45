import type { Sql } from '@warren/platform/database/sql';
import { invalidInput, shownValue } from '@warren/platform/errors/fault';
import type { FieldTerm, Filter } from '@warren/rules/filter/filter';
import { holdsForVersion } from '@warren/rules/filter/match';
import { parseFilter } from '@warren/rules/filter/parse';
import { filterSql, type FilterSql } from './filter.sql.ts';
import { readVersions } from './versions.sql.ts';

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

/**
 * Compiles a filter to a condition over `devices d` and `device_facts f`, whose parameters are appended to `values`.
 * @param ofFew whether it is for few devices, see {@link filterSql}
 */
export async function compileFilter(sql: Sql, filter: Filter, values: unknown[], ofFew = false): Promise<FilterSql> {
  if (!comparesVersions(filter)) return filterSql(filter, values, () => [], ofFew);
  const versions = await readVersions(sql);
  const versionsOf = (term: FieldTerm) => versions.filter((version) => holdsForVersion(term, version));
  return filterSql(filter, values, versionsOf, ofFew);
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
