import { z } from 'zod';
import type { Route } from './public-routes.ts';

/**
 * Maximum calls per minute and address. They allow an office behind one address to sign in and 500 devices to enrol with one token, and
 * keep one address from overloading the hub. Invitations are limited per hour, for each user and each account; requests with an API
 * token per minute and token.
 */
export const RATES = {
  'sign-in': 300,
  assertion: 300,
  logout: 300,
  // All of a provider's logouts come from its own address.
  'provider-logout': 3_000,
  invitation: 120,
  install: 600,
  package: 600,
  enrol: 600,
  rotate: 600,
  separate: 600,
  guest: 120,
  /** Of one guest; of an address, those with a cookie that is refused. */
  'guest-access': 600,
  /** Of one API token. */
  token: 600,
  /** API tokens that are looked up and refused. */
  'token-refused': 60,
  'invite-user': 200,
  'invite-account': 500,
} as const satisfies Record<string, number>;

export type RateName = keyof typeof RATES;
export type Rates = Readonly<Record<RateName, number>>;

const MOST = 1_000_000;

/** The rate limit of a public route. */
export interface RateLimit extends Route {
  /** Routes with the same name share a counter. */
  name: RateName;
}

/** Rate limits of the public routes. */
export const RATE_LIMITS: readonly RateLimit[] = [
  { name: 'sign-in', method: 'GET', path: '/auth/saml/login' },
  { name: 'sign-in', method: 'POST', path: '/auth/saml/login' },
  { name: 'assertion', method: 'POST', path: '/auth/saml/acs' },
  { name: 'logout', method: 'GET', path: '/auth/saml/slo' },
  { name: 'logout', method: 'POST', path: '/auth/saml/slo' },
  { name: 'assertion', method: 'GET', path: '/auth/oidc/:provider/callback' },
  { name: 'provider-logout', method: 'POST', path: '/auth/oidc/:provider/backchannel-logout' },
  { name: 'invitation', method: 'GET', path: '/api/invitation' },
  { name: 'invitation', method: 'POST', path: '/api/signup' },
  { name: 'install', method: 'GET', path: '/install/:account' },
  { name: 'package', method: 'GET', path: '/install/packages/:file' },
  { name: 'enrol', method: 'POST', path: '/agent/enrol' },
  { name: 'rotate', method: 'POST', path: '/agent/rotate_key' },
  { name: 'separate', method: 'POST', path: '/agent/separate' },
  { name: 'guest', method: 'POST', path: '/api/guest/:id' },
  { name: 'guest', method: 'POST', path: '/api/guest/:id/redeem' },
];

/** `Yes` for these limits, `No` for none, or changes such as `sign-in=600,enrol=1200`. */
export const rateLimitsSchema = z
  .string()
  .default('Yes')
  .transform((text, context): Rates | false => {
    const flag = z.stringbool().safeParse(text);
    if (flag.success) return flag.data && RATES;
    const given = text.split(',').map((part) => part.trim().split('='));
    for (const part of given) {
      const problem = problemOf(part);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    }
    return { ...RATES, ...Object.fromEntries(given.map(([name, calls]) => [name, Number(calls)])) };
  });

function problemOf([name = '', calls = '', ...more]: string[]): string | undefined {
  if (!Object.hasOwn(RATES, name))
    return `${JSON.stringify(name)} is no limit: expected Yes, No, or names and numbers such as sign-in=600,enrol=1200; names are ${Object.keys(RATES).join(', ')}`;
  if (more.length === 0 && /^[1-9]\d{0,6}$/.test(calls) && Number(calls) <= MOST) return undefined;
  return `${name}: expected a whole number from 1 to ${MOST}, such as ${name}=${RATES[name as RateName]}`;
}

/** Finds the limit of a route by its pattern, so that other spellings of the URL can't bypass it. */
export function limitOf(method: string, path: string): RateLimit | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  return RATE_LIMITS.find((limit) => limit.method === asked && limit.path === path);
}
