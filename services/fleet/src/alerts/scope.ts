import { Fault } from '@warren/platform/errors/fault';
import { deviceScope, type DeviceScope } from '@warren/platform/policy/device.access';
import type { Caller } from '@warren/platform/rpc/caller';
import { validate as isUuid } from 'uuid';

/**
 * The devices whose alerts to look at. Rules and silences are seen by all who see devices of the account.
 * @param accountId the requested account; empty for all that the caller may see
 * @throws Fault `permission_denied`, `not_found`
 */
export function scopeOf(caller: Caller, accountId: string): DeviceScope {
  const scope = deviceScope(caller, accountId);
  if (scope.accountId !== undefined && !isUuid(scope.accountId))
    throw new Fault('not_found', `account ${scope.accountId}.`);
  return scope;
}
