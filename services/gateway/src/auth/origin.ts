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
  if (!SAFE.has(method)) requireHubOrigin(headers, hubUrl);
}

/**
 * The same whatever the method, for the routes that change something although they are a GET (spec section 7).
 * @throws Fault `permission_denied`
 */
export function requireHubOrigin(headers: IncomingHttpHeaders, hubUrl: string): void {
  const { origin } = headers;
  if (origin === hubUrl) return;
  const hidden = origin === undefined || origin === 'null';
  const site = headers['sec-fetch-site'];
  if (hidden && site === 'same-origin') return;
  // Over plain http browsers say no Sec-Fetch-Site, and with a GET no origin; a page can hide the referrer, not choose it.
  if (origin === undefined && site === undefined && originOf(headers.referer) === hubUrl) return;
  throw new Fault('permission_denied', `expected a request from ${hubUrl}.`);
}

function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Whether a navigation was started here: by the hub's own page, or by the person (address bar, bookmark). */
export function startedHere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}
