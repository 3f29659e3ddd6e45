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

/** Whether a device's console can be opened now. */
export const isConsoleOpen = (device: Device): boolean => device.ssh_enable === 'Yes' && device.status === 'Connected';

/** Whether a device's web service is reachable now. */
export const isWebOpen = (device: Device): boolean => device.http_enable === 'Yes' && device.status === 'Connected';

/** Returns the display name of a device. */
export const nameOf = (device: Device): string => device.custom_name || device.name;
