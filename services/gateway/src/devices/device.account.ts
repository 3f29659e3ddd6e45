import { Fault } from '@warren/platform/errors/fault';
import type { Device } from '@warren/proto/devices/v1/devices';

/**
 * Refuses to open a device whose account is disabled, for those as well who see every account.
 * @throws Fault `failed_precondition`
 */
export function requireActiveAccount({ accountDisabled }: Device): void {
  if (accountDisabled)
    throw new Fault('failed_precondition', 'The account is disabled.', { subject: 'Account disabled' });
}
