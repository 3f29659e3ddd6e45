import type { Device, Session } from './api/types.ts';

/** Whether a person may disable, enable, rename, move and delete a device, as in the hub's policy. */
export const mayManageDevices = ({ permissions }: Session): boolean => permissions.includes('devices.manage');

/** Whether a person may set labels and notes: SuperAdmins in any account, owners and admins in their own. */
export function mayLabelDevice(session: Session, account: string): boolean {
  return session.permissions.includes('devices.label') && (mayManageDevices(session) || session.account === account);
}

/** Whether a person may roll out versions of the agent. */
export const mayUpdate = ({ permissions }: Session): boolean => permissions.includes('updates.manage');
/** Whether a person may enrol devices, and restore the entry of a reinstalled one, as in the hub's policy. */
export const mayEnrolDevices = ({ permissions }: Session): boolean => permissions.includes('devices.enrol');

/** Whether the person may do something with a device, by role or by a grant. A hub before grants does not say, and decides by role. */
export const mayOn = (device: Pick<Device, 'permissions'>, permission: Device['permissions'][number]): boolean =>
  (device.permissions as Device['permissions'] | undefined)?.includes(permission) ?? true;

/** What this person may open to guests on a device. */
export const guestPurposesOn = (device: Device): ('terminal' | 'desktop' | 'web')[] =>
  (['terminal', 'desktop', 'web'] as const).filter(
    (purpose) => mayOn(device, purpose) && (purpose !== 'web' || device.http_enable === 'Yes'),
  );

/** Whether people of the device's account may make guest links; a hub before them does not say. */
export const hasGuestLinks = (session: Session, { account }: Device): boolean =>
  Boolean(session.guest_links) && session.account === account.id;

/** Whether a device's console can be opened now. */
export const isConsoleOpen = (device: Device): boolean => isLive(device) && mayOn(device, 'terminal');

/** Whether a device's desktop can be opened now. */
export const isDesktopOpen = (device: Device): boolean => isLive(device) && mayOn(device, 'desktop');

const isLive = ({ ssh_enable: on, status }: Device) => on === 'Yes' && status === 'Connected';

/** Whether a device's web service is reachable now. */
export const isWebOpen = (device: Device): boolean =>
  device.http_enable === 'Yes' && device.status === 'Connected' && mayOn(device, 'web');

/** The path of a device's own page. */
export const devicePath = ({ id, account }: { id: string; account: { id: string } }): string =>
  `/devices/${account.id}/${id}`;

/** Returns the display name of a device. */
export const nameOf = (device: Device): string => device.custom_name || device.name;
