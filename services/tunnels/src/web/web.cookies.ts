import { parseCookie, stringifySetCookie } from 'cookie';
import type { DeviceHosts } from '@warren/platform/http/device.host';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';

/** 256 bits as base64url. */
const SECRET = /^[\w-]{43}$/;
/** Warren's cookie names, with the prefixes that browsers guard (RFC 6265bis, 4.1.3). */
const OURS = /^(__host-|__secure-)?warren(-.*)?$/i;
/** Prefix of Warren's names, after the browser's. */
const OURS_PREFIX = 'warren-';
const VISIT_S = 600;
const ENTERED_S = 10;
/** The value of the visit's cookie between the entry and the page. */
const ENTERED = 'entered';
const MAX_READ = 4;

/**
 * Warren's cookies, on a device's host only. They are partitioned where browsers support it: a frame of the console has separate
 * ones, other sites have none.
 */
export class WebCookies {
  private readonly web: string;
  private readonly visit: string;

  constructor(private readonly hosts: DeviceHosts) {
    const prefix = hosts.secure ? '__Host-' : '';
    this.web = `${prefix}warren-web`;
    this.visit = `${prefix}warren-web-visit`;
  }

  /** The possible secrets of grants. There is more than one only if a page managed to add another. */
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

  /** The nonce of a visit that started here. */
  nonceOf(header: string | undefined): string | undefined {
    return valuesOf(header, this.visit).find((value) => SECRET.test(value));
  }

  beginVisit(nonce: string): string {
    return this.visitCookie(nonce, VISIT_S);
  }

  /** A browser that returns with this cookie and without a grant drops cookies, and must not be redirected again. */
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

/** Whether a name, or a pair's name, is Warren's. */
function isOurs(pair: string): boolean {
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

const MAX_DEVICES = 20_000;
const MAX_NAMES = 64;
const DIGEST = 22;
const LIFETIME = /^\s*(max-age|expires)\s*=/i;
const THIRD_PARTY = /^\s*(samesite|secure|partitioned)\s*(=|$)/i;
/** `__Host-` binds a cookie to the host that set it, so no page of another device can make one (RFC 6265bis, 4.1.3.2). */
const PROOF = `__Host-${OURS_PREFIX}set-`;
const PROOF_PAIR = new RegExp(`^${PROOF}([\\w-]{${DIGEST}})-[\\w-]{${DIGEST}}=([hr])([\\w-]{${DIGEST}})$`);

/** A cookie name that the device has set, as its proofs show. */
interface Proven {
  /** Whether scripts cannot have changed it. */
  httpOnly: boolean;
  values: Set<string>;
}

/**
 * Distinguishes cookies that a device has set from those that a page of another device has planted for the common domain. Each cookie of
 * the device has a proof next to it, under a name that only its host can set. Plain http has no such names.
 */
export class DeviceCookies {
  /** Digests of (possibly long) names that a device has set as `HttpOnly`: without a proof, such a cookie is not the device's. */
  private readonly httpOnly = new LRUCache<string, Set<string>>({ max: MAX_DEVICES });

  constructor(private readonly hosts: Pick<DeviceHosts, 'secure' | 'trustworthy'>) {}

  /**
   * Rewrites a device's `Set-Cookie` for its own host, and adds a proof; empty for a cookie that must not pass.
   * @param thirdParty whether the browser shows the page in a frame of another site, where it keeps only partitioned cookies
   */
  set(value: string, { slug, thirdParty }: { slug: string; thirdParty: boolean }): string[] {
    const [pair = '', ...given] = value.split(';');
    const at = pair.indexOf('=');
    // A cookie without a name is sent as its bare value, which could read as one of Warren's.
    if (at < 0 || pair.trimStart().startsWith('=') || isOurs(pair)) return [];
    const own = given.filter((attribute) => !/^\s*domain\s*(=|$)/i.test(attribute));
    const cookie = this.reaching([pair, ...own], thirdParty);
    if (!this.hosts.secure) return [cookie];
    const httpOnly = own.some((attribute) => /^\s*httponly\s*(=|$)/i.test(attribute));
    const name = pair.slice(0, at).trim();
    const named = digest(name);
    this.learn(slug, named, httpOnly);
    const proof = `${PROOF}${named}-${digest(pathOf(own))}=${httpOnly ? 'h' : 'r'}${digest(pair.slice(at + 1).trim())}`;
    const lifetime = own.filter((attribute) => LIFETIME.test(attribute));
    const attributes = [' Path=/', ' HttpOnly', ' Secure', ' SameSite=Lax', ...lifetime];
    return [cookie, this.reaching([proof, ...attributes], thirdParty)];
  }

  /** A `Cookie` header for the device, without Warren's and planted cookies; undefined if none is left. */
  passed(header: string, slug: string): string | undefined {
    const names = this.httpOnly.get(slug);
    const ours = /warren/i.test(header);
    if (!ours && !names) return header;
    const pairs = header.split(';').map((pair) => pair.trim());
    const own = pairs.filter((pair) => !isOurs(pair));
    const proven = this.hosts.secure ? proofs(pairs) : new Map<string, Proven>();
    if (proven.size === 0 && !names) return joined(own);
    const cookies = own.map((pair) => ({ pair, ...judged(pair, proven) }));
    const genuine = new Set(cookies.filter(({ sure }) => sure).map(({ name }) => name));
    const kept = cookies.filter(
      ({ name, sure, by }) => sure || !(by?.httpOnly || names?.has(digest(name)) || genuine.has(name)),
    );
    return joined(kept.map(({ pair }) => pair));
  }

  private learn(slug: string, named: string, httpOnly: boolean): void {
    const names = this.httpOnly.get(slug);
    if (!httpOnly) return void names?.delete(named);
    if (!names) this.httpOnly.set(slug, new Set([named]));
    else if (names.size < MAX_NAMES) names.add(named);
  }

  private reaching(parts: string[], thirdParty: boolean): string {
    if (!thirdParty || !this.hosts.trustworthy) return parts.join(';');
    const kept = parts.filter((part, index) => index === 0 || !THIRD_PARTY.test(part));
    return [...kept, ' SameSite=None', ' Secure', ' Partitioned'].join(';');
  }
}

function judged(pair: string, proven: Map<string, Proven>): { name: string; sure: boolean; by: Proven | undefined } {
  const at = pair.indexOf('=');
  const name = at < 0 ? '' : pair.slice(0, at).trim();
  const by = proven.size === 0 ? undefined : proven.get(digest(name));
  return { name, by, sure: by?.values.has(digest(pair.slice(at + 1).trim())) ?? false };
}

function proofs(pairs: readonly string[]): Map<string, Proven> {
  const proven = new Map<string, Proven>();
  for (const pair of pairs) {
    const [, name, kind, value] = PROOF_PAIR.exec(pair) ?? [];
    if (name === undefined || value === undefined) continue;
    const known = proven.get(name) ?? { httpOnly: false, values: new Set<string>() };
    known.httpOnly ||= kind === 'h';
    known.values.add(value);
    proven.set(name, known);
  }
  return proven;
}

/** Cookies of one name and different paths coexist. */
function pathOf(attributes: readonly string[]): string {
  return (
    attributes
      .findLast((attribute) => /^\s*path\s*=/i.test(attribute))
      ?.trim()
      .slice('path='.length) ?? ''
  );
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, DIGEST);
}

function joined(pairs: readonly string[]): string | undefined {
  return pairs.length === 0 ? undefined : pairs.join('; ');
}
