import { GRANT_PERMISSIONS } from '@warren/rules/grants';
import type { Device, Session } from './api/types.ts';
import { mayOn } from './device-access.ts';

type Permission = Device['permissions'][number];

/** What a person may not do with a device now. */
export const missingOn = (device: Device): Permission[] => GRANT_PERMISSIONS.filter((name) => !mayOn(device, name));

/** Whether a person may ask for more access to a device of the account that they are in. */
export const mayAskFor = (session: Session, device: Device): boolean =>
  session.access_requests && session.account === device.account.id && missingOn(device).length > 0;
