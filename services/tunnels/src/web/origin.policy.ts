import type { IncomingMessage } from 'node:http';

const SAFE = new Set(['GET', 'HEAD']);

/**
 * Whether a request with somebody's cookie may go to the device: it must come from the device's own page, or be a person who
 * opens one. Pages of other devices are the same site to a browser, and its cookies go with their requests; only the origin
 * tells them apart (W3C Fetch Metadata; RFC 6454).
 */
export function mayAsk({ method = 'GET', headers }: IncomingMessage, publicOrigin: string): boolean {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const upgrades = headers.upgrade !== undefined;
  if (upgrades && origin !== undefined && origin !== publicOrigin) return false;
  if (site === 'same-origin' || site === 'none') return true;
  if (site !== undefined) return headers['sec-fetch-mode'] === 'navigate' && SAFE.has(method);
  // Browsers that say no Sec-Fetch-Site say an origin with all that changes something.
  return origin === undefined || origin === publicOrigin || (SAFE.has(method) && !upgrades);
}
