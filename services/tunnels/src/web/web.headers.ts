import type { IncomingMessage } from 'node:http';
import { passOn, fields, type HeaderLines } from '@warren/transport/header.lines';
import type { DeviceCookies } from './web.cookies.ts';
import { type WebService, publicUrl } from './web.services.ts';

const SAFE = new Set(['GET', 'HEAD']);

/**
 * Whether a request with a user's cookie may go to the device: it must come from the device's own page, or be a navigation
 * by a person. A browser treats pages of other devices as the same site and sends their cookies; only the origin
 * distinguishes them (W3C Fetch Metadata; RFC 6454).
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
 * The request head for the device's server. Under its local name it sees a browser on its own machine; under its public name
 * a reverse proxy.
 */
export function requestLines(
  request: IncomingMessage,
  page: WebService,
  { clientAddress, cookies }: { clientAddress: string; cookies: DeviceCookies },
): string[] {
  // Considers all lines together: a proof may be in another line than its cookie.
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

function localUrl(value: string, { publicOrigin, localOrigin }: WebService): string {
  if (value === publicOrigin) return localOrigin;
  return value.startsWith(`${publicOrigin}/`) ? `${localOrigin}${value.slice(publicOrigin.length)}` : value;
}

/**
 * Never passed on: who may frame a web service is the hub's to say; the others would reach beyond the device's own host
 * (Alt-Svc takes its requests elsewhere, Clear-Site-Data empties the hub's cookies too).
 */
const DROPPED = new Set(['alt-svc', 'clear-site-data', 'public-key-pins', 'x-frame-options']);
const PERMISSIONS = 'permissions-policy';
const POLICIES = new Set(['content-security-policy', 'content-security-policy-report-only']);

/**
 * The head of a device's answer as the browser gets it.
 * @param to `hubUrl`: who may frame it, besides the device's own pages. `thirdParty`: whether a page of another site does
 */
export function answerLines(
  lines: HeaderLines,
  page: WebService,
  { hubUrl, cookies, thirdParty }: { hubUrl: string; cookies: DeviceCookies; thirdParty: boolean },
): string[] {
  const passed = passOn(lines, (name, value) => {
    if (DROPPED.has(name)) return undefined;
    if (name === 'set-cookie') return undefined;
    if (name === PERMISSIONS) return page.denied === '' || isDictionary(value) ? value : undefined;
    if (name === 'location' || name === 'content-location') return publicUrl(value, page);
    if (name === 'refresh') return value.replace(/^(.*?;\s*url=)(['"]?)(.*)$/is, refreshed(page));
    if (name === 'access-control-allow-origin' && value === page.localOrigin) return page.publicOrigin;
    return POLICIES.has(name) ? withoutFraming(value) : value;
  });
  for (const [, value, name] of fields(lines)) {
    if (name !== 'set-cookie') continue;
    for (const cookie of cookies.set(value, { slug: page.slug, thirdParty })) passed.push('Set-Cookie', cookie);
  }
  passed.push('Content-Security-Policy', `frame-ancestors 'self' ${hubUrl}`);
  // Of several values for one feature the last counts (RFC 8941, 3.2).
  if (page.denied !== '') passed.push('Permissions-Policy', page.denied);
  return passed;
}

function refreshed(page: WebService): (all: string, before: string, quote: string, url: string) => string {
  return (_all, before, quote, url) => `${before}${quote}${publicUrl(url, page)}`;
}

const KEY = String.raw`[a-z*][a-z\d_.*-]*`;
const ITEM = String.raw`(?:[A-Za-z*][\w!#$%&'*+.^\x60|~:/-]*|"(?:[ !#-[\]-~]|\\["\\])*")`;
const VALUE = String.raw`(?:${ITEM}|\((?: *${ITEM}(?=[ )]))* *\))`;
const MEMBER = String.raw`${KEY}(?:=${VALUE})?(?:; *${KEY}(?:=${ITEM})?)*`;
const DICTIONARY = new RegExp(String.raw`^${MEMBER}(?:[ \t]*,[ \t]*${MEMBER})*$`);
const MAX_DICTIONARY = 4_096;

/**
 * Tells whether a value is a dictionary (RFC 8941, 3.2) of the kinds that policies have. Browsers read all lines of a field as one, and
 * ignore all of it for a fault in any.
 */
function isDictionary(value: string): boolean {
  return value.length <= MAX_DICTIONARY && DICTIONARY.test(value);
}

/** A policy (W3C CSP 3) without its frame-ancestors; undefined when nothing is left. */
function withoutFraming(policy: string): string | undefined {
  const policies = policy.split(',').map((one) =>
    one
      .split(';')
      .filter((directive) => !/^\s*frame-ancestors(\s|$)/i.test(directive))
      .join(';')
      .trim(),
  );
  return policies.filter((one) => one !== '').join(', ') || undefined;
}
