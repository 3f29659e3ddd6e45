import { Fault } from '@warren/platform/errors/fault';
import type { IncomingHttpHeaders } from 'node:http';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a state-changing request that another site may have caused. Web services of devices may share the hub's domain and are
 * then same-site, so only the same origin passes. Browsers send `null` if the referrer policy hides the origin; then, as without an
 * origin, Sec-Fetch-Site decides, which pages can't set. A request with neither header is refused.
 * @throws Fault `permission_denied`
 */
export function requireOwnOrigin(method: string, headers: IncomingHttpHeaders, hubUrl: string): void {
  if (!SAFE.has(method)) requireHubOrigin(headers, hubUrl);
}

/**
 * Does the same for every method, for routes that change something on GET (specification, section 7).
 * @throws Fault `permission_denied`
 */
export function requireHubOrigin(headers: IncomingHttpHeaders, hubUrl: string): void {
  const { origin } = headers;
  if (origin === hubUrl) return;
  const hidden = origin === undefined || origin === 'null';
  const site = headers['sec-fetch-site'];
  if (hidden && site === 'same-origin') return;
  // Over plain http browsers send no Sec-Fetch-Site, and no origin with a GET; a page can hide the referrer but not choose it.
  if (origin === undefined && site === undefined && originOf(headers.referer) === hubUrl) return;
  throw new Fault('permission_denied', `expected a request from ${hubUrl}.`);
}

function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Tells whether a navigation started at a page of the hub, or by the person (address bar, bookmark). */
export function startedHere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}
