import type { WebTarget } from '@warren/proto/common/v1/common';
import type { Device } from '@warren/proto/devices/v1/devices';

/** What can be with the web service of a link: `gone` if the device has none at that address and port. */
export const WEB_STATES = ['on', 'off', 'gone'] as const;
export type WebState = (typeof WEB_STATES)[number];

/** The web service that a device has. */
export interface Served {
  enabled: boolean;
  ip: string;
  port: number;
}

export function servedBy({ httpEnabled: enabled, httpIp: ip, httpPort: port }: Device): Served {
  return { enabled, ip, port };
}

/** @param served undefined for a device that is not there any more */
export function webStateOf({ ip, port }: WebTarget, served: Served | undefined): WebState {
  if (served?.ip !== ip || served.port !== port) return 'gone';
  return served.enabled ? 'on' : 'off';
}
