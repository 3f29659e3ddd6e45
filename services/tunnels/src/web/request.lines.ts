import { passOn } from '@warren/transport/header.lines';
import type { IncomingMessage } from 'node:http';
import type { DeviceCookies } from './device.cookies.ts';
import type { WebPage } from './web.page.ts';

/** Said by proxies; what a client claims of itself here is not passed on. */
const PROXIES = new Set([
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
]);

/**
 * The head of a request as the device's server gets it. Under its local name it sees a browser of its own machine; under its
 * public name a reverse proxy.
 */
export function requestLines(
  request: IncomingMessage,
  page: WebPage,
  { clientAddress, cookies }: { clientAddress: string; cookies: DeviceCookies },
): string[] {
  // All of them together: a proof may stand in another line than its cookie.
  const { cookie } = request.headers;
  const passed = cookie === undefined ? undefined : cookies.passed(cookie, page.slug);
  const lines = passOn(request.rawHeaders, (name, value) => {
    if (name === 'host' || name === 'cookie' || PROXIES.has(name) || name.startsWith('warren-')) return undefined;
    if (page.tellLocal && (name === 'origin' || name === 'referer')) return localUrl(value, page);
    return value;
  });
  if (passed !== undefined) lines.push('Cookie', passed);
  if (page.tellLocal) return ['Host', page.localHost, ...lines];
  const proto = page.publicOrigin.startsWith('https:') ? 'https' : 'http';
  const said = ['X-Forwarded-For', clientAddress, 'X-Forwarded-Host', page.publicHost, 'X-Forwarded-Proto', proto];
  return ['Host', page.publicHost, ...lines, ...said];
}

function localUrl(value: string, { publicOrigin, localOrigin }: WebPage): string {
  if (value === publicOrigin) return localOrigin;
  return value.startsWith(`${publicOrigin}/`) ? `${localOrigin}${value.slice(publicOrigin.length)}` : value;
}
