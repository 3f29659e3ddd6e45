import { Fault } from '@warren/platform/errors/fault';
import type { IncomingHttpHeaders } from 'node:http';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a state-changing request that another site may have caused. Pages of devices are same-site with the hub when they
 * share its domain, so only the very same origin counts. A request that says nothing of its origin is refused too.
 * @throws Fault `permission_denied`
 */
export function requireOwnOrigin(method: string, headers: IncomingHttpHeaders, hubUrl: string): void {
  if (SAFE.has(method)) return;
  const { origin } = headers;
  if (origin === undefined ? headers['sec-fetch-site'] === 'same-origin' : origin === hubUrl) return;
  throw new Fault('permission_denied', `origin: expected a request from ${hubUrl}.`);
}

/** Whether a navigation was started here: by the hub's own page, or by the person (address bar, bookmark). */
export function startedHere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}
