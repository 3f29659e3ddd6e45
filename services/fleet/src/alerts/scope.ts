import { Fault } from '@warren/platform/errors/fault';
import { listScope } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import { validate as isUuid } from 'uuid';

/**
 * The account whose alerts to look at; undefined for all. Alerts are seen by those who see the devices.
 * @param accountId the requested account; empty for all that the caller may see
 * @throws Fault `permission_denied`, `not_found`
 */
export function scopeOf(caller: Caller, accountId: string): string | undefined {
  const scope = listScope(caller, 'devices.read', accountId).accountId;
  if (scope !== undefined && !isUuid(scope)) throw new Fault('not_found', `account ${scope}.`);
  return scope;
}
