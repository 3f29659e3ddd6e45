import { passOn, type HeaderLines } from '@warren/platform/relay/header.lines';
import { deviceCookie } from './web.cookies.ts';
import { publicUrl, type WebPage } from './web.page.ts';

/**
 * Never passed on: who may frame a device's page is the hub's to say; the others would reach beyond the device's own host
 * (Alt-Svc takes its requests elsewhere, Clear-Site-Data empties the hub's cookies too).
 */
const DROPPED = new Set(['alt-svc', 'clear-site-data', 'public-key-pins', 'x-frame-options']);
const POLICIES = new Set(['content-security-policy', 'content-security-policy-report-only']);

/**
 * The head of a device's answer as the browser gets it.
 * @param hubUrl who may frame it, besides the device's own pages
 */
export function answerLines(lines: HeaderLines, page: WebPage, hubUrl: string): string[] {
  const passed = passOn(lines, (name, value) => {
    if (DROPPED.has(name)) return undefined;
    if (name === 'set-cookie') return deviceCookie(value);
    if (name === 'location' || name === 'content-location') return publicUrl(value, page);
    if (name === 'refresh') return value.replace(/^(.*?;\s*url=)(['"]?)(.*)$/is, refreshed(page));
    if (name === 'access-control-allow-origin' && value === page.localOrigin) return page.publicOrigin;
    return POLICIES.has(name) ? withoutFraming(value) : value;
  });
  passed.push('Content-Security-Policy', `frame-ancestors 'self' ${hubUrl}`);
  return passed;
}

function refreshed(page: WebPage): (all: string, before: string, quote: string, url: string) => string {
  return (_all, before, quote, url) => `${before}${quote}${publicUrl(url, page)}`;
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
