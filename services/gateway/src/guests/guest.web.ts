import type { DeviceHosts } from '@warren/platform/http/device.host';
import type { WebTarget } from '@warren/proto/common/v1/common';
import type { Device } from '@warren/proto/devices/v1/devices';

/** What can be with the web service of a link: `gone` if the device has none at that host, address and port. */
export const WEB_STATES = ['on', 'off', 'gone'] as const;
export type WebState = (typeof WEB_STATES)[number];

/** The web service that a device has. */
export interface Served {
  /** The first label of its host; undefined for a device whose host is not of this hub. */
  slug: string | undefined;
  enabled: boolean;
  ip: string;
  port: number;
}

export function servedBy(device: Device, hosts: DeviceHosts): Served {
  const { httpEnabled: enabled, httpIp: ip, httpPort: port, httpAddress } = device;
  return { slug: hosts.slugOf(httpAddress), enabled, ip, port };
}

/** @param served undefined for a device that is not there any more */
export function webStateOf({ slug, ip, port }: WebTarget, served: Served | undefined): WebState {
  if (served?.slug !== slug || served.ip !== ip || served.port !== port) return 'gone';
  return served.enabled ? 'on' : 'off';
}
