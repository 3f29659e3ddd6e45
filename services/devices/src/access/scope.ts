import type { Sql } from '@warren/platform/database/sql';
import { Fault } from '@warren/platform/errors/fault';
import { deviceScope, type DeviceScope } from '@warren/platform/policy/device.access';
import type { Caller } from '@warren/platform/rpc/caller';
import { validate as isUuid } from 'uuid';
import { compileFilter, onlyOf, requireFilter, type FilterUse } from '../filters/device.filter.ts';
import type { FilterSql } from '../filters/filter.sql.ts';
import { requireDecidable } from '../filters/saved.terms.ts';
import { anyGrant } from './grants.sql.ts';

/**
 * The devices to look at: those that {@link filterIn} finds, or that the rights of the user are read on.
 * @param accountId the requested account; empty for all that the caller may see
 * @throws Fault `permission_denied`, `not_found`
 */
export function scopeOf(caller: Caller, accountId: string): DeviceScope {
  const scope = deviceScope(caller, accountId, { filtersByToken: true });
  if (scope.accountId !== undefined && !isUuid(scope.accountId))
    throw new Fault('not_found', `account ${scope.accountId}.`);
  return scope;
}

/** The condition that holds for every device. */
const EVERY = 'true';

/** Devices of an account or (without one) of all, that a condition holds for; its parameters are `$1` to `$n`. */
export interface DevicesInScope {
  accountId: string | undefined;
  condition?: FilterSql & { values: readonly unknown[]; ofFew?: string };
}

/**
 * Compiles the devices of a scope, of the caller's API token, and of a filter if there is one.
 * @param text the filter; every device if empty
 * @param withFew whether to compile the condition for few devices as well; a statement has to use both
 * @throws Fault `invalid_argument` for the filter
 */
export async function filterIn(sql: Sql, scope: DeviceScope, text = '', withFew = false): Promise<DevicesInScope> {
  const { accountId } = scope;
  const values: unknown[] = [];
  const use: FilterUse = { accountIds: onlyOf(accountId), values };
  const condition = await conditionIn(sql, scope, text, use);
  if (!condition) return { accountId };
  const few = withFew ? await conditionIn(sql, scope, text, { ...use, ofFew: true }) : undefined;
  return { accountId, condition: { ...condition, values, ...(few && { ofFew: few.sql }) } };
}

async function conditionIn(sql: Sql, { user, accountId, grants }: DeviceScope, text: string, use: FilterUse) {
  const terms: FilterSql[] = [];
  if (text.trim() !== '') terms.push(await compileFilter(sql, await requireDecidable(sql, text, { accountId }), use));
  const ofToken = user.token?.filter ?? '';
  if (ofToken.trim() !== '') terms.push(await compileFilter(sql, requireFilter(ofToken), use));
  // A grant without a filter is for every device, and its account is read as without grants.
  const granted = grants && (await anyGrant(sql, grants, use));
  if (granted && granted.sql !== EVERY) terms.push(granted);
  return terms.length === 0 ? undefined : allOf(terms);
}

function allOf(terms: readonly FilterSql[]): FilterSql {
  return {
    sql: terms.map((term) => term.sql).join(' AND '),
    usesNarrow: terms.some((term) => term.usesNarrow),
    usesDevices: terms.some((term) => term.usesDevices),
    usesFacts: terms.some((term) => term.usesFacts),
  };
}
