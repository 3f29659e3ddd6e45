import { DeviceSort } from '@warren/proto/devices/v1/devices';

/** What to list: an account or all, and what to look for. */
export interface DeviceFilter {
  accountId: string | undefined;
  /** LIKE pattern over lower-cased text. */
  pattern: string | undefined;
}

interface Key {
  column: string;
  /** Larger first when the list is ascending: connected devices stand before the others. */
  falling?: boolean;
}

const NAME: Key[] = [{ column: 'sort_name' }, { column: 'id' }];
const KEYS: Record<DeviceSort, Key[]> = {
  [DeviceSort.UNSPECIFIED]: [{ column: 'connected', falling: true }, ...NAME],
  [DeviceSort.STATUS]: [{ column: 'connected', falling: true }, ...NAME],
  [DeviceSort.NAME]: NAME,
  [DeviceSort.ACCOUNT]: [{ column: 'sort_account' }, { column: 'account_id' }, ...NAME],
};

/**
 * The ORDER BY of a list. Descending is the exact reverse, so one index serves both; the id settles ties.
 * @param alias of the table `devices`
 */
export function orderBy(sort: DeviceSort, descending: boolean, alias: string): string {
  const keys = KEYS[sort] ?? KEYS[DeviceSort.UNSPECIFIED];
  return keys
    .map(({ column, falling = false }) => `${alias}.${column} ${falling === descending ? 'ASC' : 'DESC'}`)
    .join(', ');
}

/** The WHERE of a list, and its parameters from $1 on. */
export function whereOf({ accountId, pattern }: DeviceFilter, alias: string): { where: string; values: string[] } {
  const terms: string[] = [];
  const values: string[] = [];
  if (accountId !== undefined) terms.push(`${alias}.account_id = $${values.push(accountId)}`);
  if (pattern !== undefined) terms.push(`${alias}.search_text LIKE $${values.push(pattern)}`);
  return { where: terms.length > 0 ? `WHERE ${terms.join(' AND ')}` : '', values };
}
