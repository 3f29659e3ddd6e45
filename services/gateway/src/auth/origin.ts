import { Fault } from '@warren/platform/errors/fault';
import type { IncomingHttpHeaders } from 'node:http';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a state-changing request that another site may have caused. Pages of devices are same-site with the hub when they
 * share its domain, so only the very same origin counts. Browsers send `null` where the referrer policy hides the origin;
 * then, as without an origin, Sec-Fetch-Site decides, which pages can't set. A request that says neither is refused.
 * @throws Fault `permission_denied`
 */
export function requireOwnOrigin(method: string, headers: IncomingHttpHeaders, hubUrl: string): void {
  if (SAFE.has(method)) return;
  const { origin } = headers;
  if (origin === hubUrl) return;
  const hidden = origin === undefined || origin === 'null';
  if (hidden && headers['sec-fetch-site'] === 'same-origin') return;
  throw new Fault('permission_denied', `origin: expected a request from ${hubUrl}.`);
}

/** Whether a navigation was started here: by the hub's own page, or by the person (address bar, bookmark). */
export function startedHere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}
