import type { Device, Session } from './api/types.ts';

/** Disable, enable, rename, move, delete: as the hub's policy says. */
export const mayManageDevices = ({ permissions }: Session): boolean => permissions.includes('devices.manage');

/** Set labels and notes: of devices of any account for SuperAdmins, of the own one for its owner and admins. */
export function mayLabelDevice(session: Session, account: string): boolean {
  return session.permissions.includes('devices.label') && (mayManageDevices(session) || session.account === account);
}

/** Offer versions of the agent to devices. */
export const mayUpdate = ({ permissions }: Session): boolean => permissions.includes('updates.manage');
/** Admit devices, and restore the old entry of a reinstalled one: as in the hub's policy. */
export const mayEnrolDevices = ({ permissions }: Session): boolean => permissions.includes('devices.enrol');

/** Whether a device's console can be opened now. */
export const isConsoleOpen = (device: Device): boolean => device.ssh_enable === 'Yes' && device.status === 'Connected';

/** Whether a device's web service is reachable now. */
export const isWebOpen = (device: Device): boolean => device.http_enable === 'Yes' && device.status === 'Connected';

/** What people call a device. */
export const nameOf = (device: Device): string => device.custom_name || device.name;
