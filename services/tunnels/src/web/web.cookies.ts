import { parseCookie, stringifySetCookie } from 'cookie';
import type { DeviceHosts } from '@warren/platform/http/device.host';

/** 256 bits as base64url. */
const SECRET = /^[\w-]{43}$/;
/** Every name of ours, with the prefixes that browsers guard (RFC 6265bis, 4.1.3). */
const OURS = /^(__host-|__secure-)?warren(-.*)?$/i;
/** Names of ours begin so, after the browser's own prefix. */
export const OURS_PREFIX = 'warren-';
const VISIT_S = 600;
const ENTERED_S = 10;
/** What the visit's cookie says between the entry and the page. */
const ENTERED = 'entered';
const MAX_READ = 4;

/**
 * Warren's cookies on a device's host, and on no other. They are partitioned where browsers know that: a frame of the console
 * has its own, other sites have none.
 */
export class WebCookies {
  private readonly web: string;
  private readonly visit: string;

  constructor(private readonly hosts: DeviceHosts) {
    const prefix = hosts.secure ? '__Host-' : '';
    this.web = `${prefix}warren-web`;
    this.visit = `${prefix}warren-web-visit`;
  }

  /** The secrets that may be grants. More than one comes only where a page was able to add its own. */
  secrets(header: string | undefined): string[] {
    return valuesOf(header, this.web).filter((value) => SECRET.test(value));
  }

  grant(secret: string, seconds: number): string {
    const trust = this.hosts.trustworthy;
    const reach = trust
      ? ({ secure: true, sameSite: 'none', partitioned: true } as const)
      : ({ sameSite: 'lax' } as const);
    return stringifySetCookie(this.web, secret, { httpOnly: true, path: '/', maxAge: seconds, ...reach });
  }

  /** The nonce of a visit that has begun here. */
  nonceOf(header: string | undefined): string | undefined {
    return valuesOf(header, this.visit).find((value) => SECRET.test(value));
  }

  beginVisit(nonce: string): string {
    return this.visitCookie(nonce, VISIT_S);
  }

  /** Who comes back without a grant while this is there takes no cookies, and must not be sent round again. */
  entered(): string {
    return this.visitCookie(ENTERED, ENTERED_S);
  }

  hasJustEntered(header: string | undefined): boolean {
    return valuesOf(header, this.visit).includes(ENTERED);
  }

  private visitCookie(value: string, maxAge: number): string {
    const secure = this.hosts.secure;
    return stringifySetCookie(this.visit, value, { httpOnly: true, path: '/', maxAge, secure, sameSite: 'lax' });
  }
}

/** Whether a name, or a pair with one, is Warren's. */
export function isOurs(pair: string): boolean {
  return OURS.test(pair.split('=', 1)[0]?.trim() ?? '');
}

/** The values of a cookie; the browser may send several of one name. */
function valuesOf(header: string | undefined, name: string): string[] {
  if (!header?.includes(name)) return [];
  const values: string[] = [];
  for (const pair of header.split(';')) {
    const value = parseCookie(pair)[name];
    if (value !== undefined && values.length < MAX_READ) values.push(value);
  }
  return values;
}
