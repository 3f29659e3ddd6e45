import type { OriginInit, UserCaller } from '@warren/platform/rpc/caller';
import { DevicePermission } from '@warren/proto/common/v1/common';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import type { Credential } from '../links/credentials.ts';
import type { RecordingRule } from '../recordings/policies.ts';

/** What a grant opens on a device. */
export type GrantKind = 'terminal' | 'desktop' | 'logs' | 'web';

/** The right to one session: one user, one device, one kind. */
export interface Grant {
  kind: GrantKind;
  user: UserCaller;
  deviceId: string;
  /** The device's account at the time of the grant; the session ends if the device moves out of its user's reach. */
  deviceAccountId: string;
  deviceName: string;
  /** Hash of the browser session that opened it, and with which it ends; empty if unknown. */
  session: string;
  /** The socket quota of the user's account; unlimited if absent. */
  mostSockets?: bigint;
  /** Where its browser is. */
  origin?: OriginInit;
  /** The access grant that gives the right; absent if the role does. */
  grantId?: string;
  /** When the right ends, in milliseconds since 1970, if it is by a grant that expires. */
  until?: number | undefined;
  /** How a new terminal or desktop is recorded; absent for other kinds. */
  recording?: RecordingRule;
}

interface Rules {
  /** The purpose of the socket tokens that open it. */
  purpose: SocketPurpose;
  /** What the user must be allowed. */
  permission: Exclude<DevicePermission, DevicePermission.UNSPECIFIED>;
  /** The device's switch that must be on, by its name in the console. */
  feature: string;
  on: (device: Credential) => boolean;
}

const consoleSwitch = { feature: 'console', on: ({ sshEnabled }: Credential) => sshEnabled };

const RULES: Record<GrantKind, Rules> = {
  terminal: { purpose: SocketPurpose.TERMINAL, permission: DevicePermission.TERMINAL, ...consoleSwitch },
  desktop: { purpose: SocketPurpose.DESKTOP, permission: DevicePermission.DESKTOP, ...consoleSwitch },
  logs: { purpose: SocketPurpose.LOGS, permission: DevicePermission.TERMINAL, ...consoleSwitch },
  web: {
    purpose: SocketPurpose.WEB,
    permission: DevicePermission.WEB,
    feature: 'web service',
    on: ({ httpEnabled }) => httpEnabled,
  },
};

export function purposeOf(kind: GrantKind): SocketPurpose {
  return RULES[kind].purpose;
}

/** The permission on the device that this kind of session needs. */
export function permissionOf(kind: GrantKind): Rules['permission'] {
  return RULES[kind].permission;
}

/** Why this kind of session is off for the device; undefined when it is on. */
export function switchedOff(kind: GrantKind, device: Credential): string | undefined {
  const { feature, on } = RULES[kind];
  if (device.accountDisabled) return 'The account is disabled.';
  return on(device) ? undefined : `The ${feature} of ${device.name} is disabled.`;
}
