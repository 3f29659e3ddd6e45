import { z } from 'zod';
import type { Route } from './public-routes.ts';

/**
 * How many calls of a kind one address may make in a minute. They leave room for an office behind one address in the morning and for a
 * shelf of 500 devices that enrol with one token (decisions), and keep one address from keeping the hub busy. Invitations are counted by
 * the hour, for each user and for each account.
 */
export const RATES = {
  'sign-in': 300,
  assertion: 300,
  logout: 300,
  invitation: 120,
  install: 600,
  package: 600,
  enrol: 600,
  rotate: 600,
  separate: 600,
  'invite-user': 200,
  'invite-account': 500,
} as const satisfies Record<string, number>;

export type RateName = keyof typeof RATES;
export type Rates = Readonly<Record<RateName, number>>;

const MOST = 1_000_000;

/** The limit of a public route. */
export interface RateLimit extends Route {
  /** Routes with the same name are counted together. */
  name: RateName;
}

/** Limits of the routes that anybody may call. */
export const RATE_LIMITS: readonly RateLimit[] = [
  { name: 'sign-in', method: 'GET', path: '/auth/saml/login' },
  { name: 'assertion', method: 'POST', path: '/auth/saml/acs' },
  { name: 'logout', method: 'GET', path: '/auth/saml/slo' },
  { name: 'logout', method: 'POST', path: '/auth/saml/slo' },
  { name: 'invitation', method: 'GET', path: '/api/invitation' },
  { name: 'invitation', method: 'POST', path: '/api/signup' },
  { name: 'install', method: 'GET', path: '/install/:account' },
  { name: 'package', method: 'GET', path: '/install/packages/:file' },
  { name: 'enrol', method: 'POST', path: '/agent/enrol' },
  { name: 'rotate', method: 'POST', path: '/agent/rotate_key' },
  { name: 'separate', method: 'POST', path: '/agent/separate' },
];

/** `Yes` for the limits above, `No` for none, or some of them set: `sign-in=600,enrol=1200`; the others stay. */
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

/** The limit of a route as the router knows it: by its pattern, so that no other spelling of the address goes round it. */
export function limitOf(method: string, path: string): RateLimit | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  return RATE_LIMITS.find((limit) => limit.method === asked && limit.path === path);
}
