import { DeviceSort } from '@warren/proto/devices/v1/devices';
import { NARROW, type FilterSql } from '../filters/filter.sql.ts';
import { isIndexed, keysOf, type Key } from './device-list.order.ts';

/** What to list: an account or all, and what to look for. */
export interface DeviceFilter {
  accountId: string | undefined;
  /** LIKE pattern over lower-cased text. */
  pattern: string | undefined;
  /** The condition of a filter, whose parameters are `$1` to `$n`. */
  condition?: FilterSql & { values: readonly unknown[]; /** The same for few devices. */ ofFew?: string };
}

/** A page of what a filter finds. */
export interface DevicePage extends DeviceFilter {
  sort: DeviceSort;
  /** The key of the label to sort by, for `DeviceSort.LABEL`. */
  label?: string;
  descending: boolean;
  limit: number;
  /** Rows before the page. */
  offset: number;
}

/** The FROM and WHERE over `devices d` (and `narrow_devices n` for a condition), and their parameters from $1 on. */
export function whereOf(filter: DeviceFilter, needsNarrow = false): { from: string; values: unknown[] } {
  const { accountId, pattern, condition } = filter;
  const values: unknown[] = [...(condition?.values ?? [])];
  const terms: string[] = [];
  if (accountId !== undefined) terms.push(`d.account_id = $${values.push(accountId)}`);
  if (pattern !== undefined) terms.push(`d.search_text LIKE $${values.push(pattern)}`);
  if (condition) terms.push(condition.sql);
  const narrow = needsNarrow || condition ? NARROW : '';
  return { from: `FROM devices d ${narrow} ${terms.length > 0 ? `WHERE ${terms.join(' AND ')}` : ''}`, values };
}

/** Pages among so many devices are read from the start of the list, and among as many from its end. */
export const NEAR = 1_000;
/** So many devices of the list's order are tried for each that a page needs, before all are. More cost filters that find few too much. */
export const TRIED = 6;

/** Whether a page of what a search or a filter finds may be among the first devices of the list, whose order an index has. */
export function triesFirst({
  sort,
  accountId,
  limit,
  offset,
}: Pick<DevicePage, 'sort' | 'accountId' | 'limit' | 'offset'>): boolean {
  if (offset + limit > NEAR / 2) return false;
  return sort === DeviceSort.LABEL || isIndexed(keysOf(sort, accountId));
}

/** Which tables a statement reads for a list, with its parameters. */
export class ListSource {
  readonly values: unknown[];
  private readonly filter: DeviceFilter;
  private readonly account: string | undefined;
  private readonly pattern: string | undefined;

  constructor(filter: DeviceFilter) {
    const { accountId, pattern, condition } = filter;
    this.filter = filter;
    this.values = [...(condition?.values ?? [])];
    this.account = accountId === undefined ? undefined : `$${this.values.push(accountId)}`;
    this.pattern = pattern === undefined ? undefined : `$${this.values.push(pattern)}`;
  }

  /** WHERE of the account alone. */
  ofAccount(alias: 'd' | 'n'): string {
    return this.account === undefined ? 'true' : `${alias}.account_id = ${this.account}`;
  }

  /**
   * FROM and WHERE of what the list has, and the keys as expressions over it. Of `devices` and `narrow_devices` it reads only those
   * that it needs: most conditions need narrow rows alone.
   */
  from(keys: readonly Key[] = []): { from: string; expressions: string[] } {
    const { condition } = this.filter;
    const narrow = condition?.usesNarrow === true || !isIndexed(keys);
    const wide =
      !narrow || this.pattern !== undefined || condition?.usesDevices === true || keys.some((key) => !key.narrow);
    const terms = this.terms(condition?.sql);
    return {
      from: `FROM ${this.tables(narrow, wide)} WHERE ${[this.ofAccount(narrow ? 'n' : 'd'), ...terms].join(' AND ')}`,
      expressions: keys.map((key) => (narrow ? (key.narrow ?? key.device) : key.device) ?? ''),
    };
  }

  /** Whether the list has the device `t`. It can't become a join, for which all devices would be read. */
  hasTried(): string {
    const { condition } = this.filter;
    const narrow = condition?.usesNarrow === true;
    const tables = this.tables(narrow, !narrow || this.pattern !== undefined || condition.usesDevices);
    const terms = this.terms(condition?.ofFew ?? condition?.sql);
    return `EXISTS (SELECT FROM ${tables} WHERE ${narrow ? 'n' : 'd'}.id = t.id AND ${terms.join(' AND ')} OFFSET 0)`;
  }

  private tables(narrow: boolean, wide: boolean): string {
    return (
      [...(narrow ? ['narrow_devices n'] : []), ...(wide ? ['devices d'] : [])].join(' JOIN ') +
      (narrow && wide ? ' ON d.id = n.id' : '')
    );
  }

  private terms(condition: string | undefined): string[] {
    const search = this.pattern === undefined ? [] : [`d.search_text LIKE ${this.pattern}`];
    return condition === undefined ? search : [...search, condition];
  }
}
