import type { Logger } from '@nestjs/common';
import type { Grant } from './grant.ts';

/**
 * Logs the user, device and action; never what was typed or shown.
 * @param what `{kind}.{verb}`, such as `terminal.opened`
 */
export function audit(log: Logger, { user, deviceId, deviceAccountId }: Grant, what: string, more: object = {}): void {
  const who = { user: user.userId, email: user.email, ...(user.guest && { guest: user.guest.id }) };
  log.log({ audit: what, ...who, device: deviceId, account: deviceAccountId, ...more }, what);
}
