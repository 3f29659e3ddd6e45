import type { DeviceHosts } from '@warren/platform/http/device.host';
import { HttpHost, WebPermission, type FindWebPageResponse } from '@warren/proto/devices/v1/devices';
import { isIPv6 } from 'node:net';

/** The web page of a device: where it is for people, and where on the device. */
export interface WebPage {
  slug: string;
  deviceId: string;
  accountId: string;
  /** How people call the device. */
  name: string;
  enabled: boolean;
  /** On the device. */
  ip: string;
  port: number;
  publicOrigin: string;
  publicHost: string;
  localOrigin: string;
  localHost: string;
  /** Whether the device's server is told its local name, as by a browser on the device. */
  tellLocal: boolean;
  /** The Permissions-Policy that takes from the page what is not switched on for the device. */
  denied: string;
  /** Names under which the device knows itself, lower case, without port. */
  ownNames: ReadonlySet<string>;
}

/** @param found as the devices service tells it; what the device reported of itself is in there unchecked */
export function webPage(slug: string, found: FindWebPageResponse, hosts: DeviceHosts): WebPage {
  const name = isIPv6(found.ip) ? `[${found.ip}]` : found.ip;
  const localHost = found.port === 80 ? name : `${name}:${found.port}`;
  const hostname = found.hostname.toLowerCase();
  const privateIp = isIPv6(found.privateIp) ? `[${found.privateIp}]` : found.privateIp;
  const own = [name, 'localhost', '127.0.0.1', '[::1]', privateIp, hostname, `${hostname}.local`];
  return {
    ...{ slug, deviceId: found.deviceId, accountId: found.accountId, name: found.name, enabled: found.enabled },
    ...{ ip: found.ip, port: found.port, localHost, localOrigin: `http://${localHost}` },
    ...{ publicHost: hosts.hostOf(slug), publicOrigin: hosts.originOf(slug) },
    tellLocal: found.host !== HttpHost.PUBLIC,
    denied: deniedTo(found.permissions),
    ownNames: new Set(own.filter((text) => text !== '' && text !== '.local')),
  };
}

const FEATURES: Partial<Record<WebPermission, string>> = {
  [WebPermission.CLIPBOARD_READ]: 'clipboard-read',
  [WebPermission.CAMERA]: 'camera',
  [WebPermission.MICROPHONE]: 'microphone',
  [WebPermission.GEOLOCATION]: 'geolocation',
};

function deniedTo(permissions: readonly WebPermission[]): string {
  const denied = Object.entries(FEATURES).filter(([permission]) => !permissions.includes(Number(permission)));
  return denied.map(([, feature]) => `${feature}=()`).join(', ');
}

/**
 * An absolute address that names the device itself, as people outside must be given it; anything else as it is.
 * @param value of `Location`, `Content-Location` or the like
 */
export function publicUrl(value: string, page: WebPage): string {
  const found = /^(?:(https?):)?\/\/([^/?#]*)(.*)$/is.exec(value);
  const [, scheme = 'http', authority = '', rest = ''] = found ?? [];
  if (!found || !URL.canParse(`${scheme}://${authority}`)) return value;
  const { hostname, port, username } = new URL(`${scheme}://${authority}`);
  if (username !== '') return value;
  const usual = scheme.toLowerCase() === 'https' ? 443 : 80;
  const isLocal = page.ownNames.has(hostname) && Number(port || usual) === page.port;
  if (isLocal || isPublic(hostname, port, page)) return `${page.publicOrigin}${rest}`;
  return value;
}

/** Also with another scheme or port: servers behind a proxy often lose these. */
function isPublic(hostname: string, port: string, page: WebPage): boolean {
  const [name = '', publicPort = ''] = page.publicHost.split(':');
  return hostname === name && (port === '' || port === publicPort || Number(port) === page.port);
}
