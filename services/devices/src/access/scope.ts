import type { Sql } from '@warren/platform/database/sql';
import { Fault } from '@warren/platform/errors/fault';
import { deviceScope, type DeviceScope } from '@warren/platform/policy/device.access';
import type { Caller } from '@warren/platform/rpc/caller';
import { validate as isUuid } from 'uuid';
import { compileFilter, requireFilter } from '../filters/device.filter.ts';
import type { FilterSql } from '../filters/filter.sql.ts';
import { anyGrant } from './grants.sql.ts';

/**
 * The devices to look at.
 * @param accountId the requested account; empty for all that the caller may see
 * @throws Fault `permission_denied`, `not_found`
 */
export function scopeOf(caller: Caller, accountId: string): DeviceScope {
  const scope = deviceScope(caller, accountId);
  if (scope.accountId !== undefined && !isUuid(scope.accountId))
    throw new Fault('not_found', `account ${scope.accountId}.`);
  return scope;
}

/** The condition that holds for every device. */
const EVERY = 'true';

/** Devices of an account or (without one) of all, that a condition holds for; its parameters are `$1` to `$n`. */
export interface DevicesInScope {
  accountId: string | undefined;
  condition?: FilterSql & { values: readonly unknown[] };
}

/**
 * Compiles the devices of a scope, of the caller's API token, and of a filter if there is one.
 * @param text the filter; every device if empty
 * @throws Fault `invalid_argument` for the filter
 */
export async function filterIn(sql: Sql, { user, accountId, grants }: DeviceScope, text = ''): Promise<DevicesInScope> {
  const values: unknown[] = [];
  const terms: FilterSql[] = [];
  for (const one of [text, user.token?.filter ?? ''])
    if (one.trim() !== '') terms.push(await compileFilter(sql, requireFilter(one), values));
  // A grant without a filter is for every device, and its account is read as without grants.
  const granted = grants && (await anyGrant(sql, grants, values));
  if (granted && granted.sql !== EVERY) terms.push(granted);
  if (terms.length === 0) return { accountId };
  const usesFacts = terms.some((term) => term.usesFacts);
  return { accountId, condition: { sql: terms.map((term) => term.sql).join(' AND '), usesFacts, values } };
}
