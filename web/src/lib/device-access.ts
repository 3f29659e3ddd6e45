import type { Device, Session } from './api/types.ts';

/** Disable, enable, rename, move, delete: as the hub's policy says. */
export const mayManageDevices = ({ permissions }: Session): boolean => permissions.includes('devices.manage');

/** Offer versions of the agent to devices. */
export const mayUpdate = ({ permissions }: Session): boolean => permissions.includes('updates.manage');
/** Let devices in, and give one that was set up anew its old entry back: as the hub's policy says. */
export const mayEnrolDevices = ({ permissions }: Session): boolean => permissions.includes('devices.enrol');

/** Whether a device's console can be opened now. */
export const isConsoleOpen = (device: Device): boolean => device.ssh_enable === 'Yes' && device.status === 'Connected';

/** Whether a device's website can be reached now. */
export const isWebOpen = (device: Device): boolean => device.http_enable === 'Yes' && device.status === 'Connected';

/** What people call a device. */
export const nameOf = (device: Device): string => device.custom_name || device.name;
