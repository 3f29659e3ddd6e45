import type { UserCaller } from '@warren/platform/rpc/caller';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import type { Credential } from '../links/credentials.ts';

/** What people open on a device. */
export type SessionKind = 'terminal' | 'desktop' | 'logs' | 'web';

/** Who may do what in one session: one user, one device, one kind. */
export interface Grant {
  kind: SessionKind;
  user: UserCaller;
  deviceId: string;
  /** The device's account when the session was granted; a device that moves to where its user may not go ends it. */
  deviceAccountId: string;
  deviceName: string;
  /** Hash of the browser session that opened it, which it ends with; empty if that is not known. */
  session: string;
  /** How many sockets the account of the user may have; absent: any number. */
  mostSockets?: bigint;
}

interface Rules {
  /** The purpose of the socket tokens that open it. */
  purpose: SocketPurpose;
  /** The switch of the device that must be on, as people call it. */
  feature: string;
  on: (device: Credential) => boolean;
}

const consoleSwitch = { feature: 'console', on: ({ sshEnabled }: Credential) => sshEnabled };

const RULES: Record<SessionKind, Rules> = {
  terminal: { purpose: SocketPurpose.TERMINAL, ...consoleSwitch },
  desktop: { purpose: SocketPurpose.DESKTOP, ...consoleSwitch },
  logs: { purpose: SocketPurpose.LOGS, ...consoleSwitch },
  web: { purpose: SocketPurpose.WEB, feature: 'web service', on: ({ httpEnabled }) => httpEnabled },
};

export function purposeOf(kind: SessionKind): SocketPurpose {
  return RULES[kind].purpose;
}

/** Why this kind of session is off for the device; undefined when it is on. */
export function switchedOff(kind: SessionKind, device: Credential): string | undefined {
  const { feature, on } = RULES[kind];
  if (device.accountDisabled) return 'The account is disabled.';
  return on(device) ? undefined : `The ${feature} of ${device.name} is disabled.`;
}
