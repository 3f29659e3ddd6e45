import type { Route } from '../auth/public-routes.ts';

/** How often one address may call a public route. */
export interface RateLimit extends Route {
  /** Routes with the same name are counted together. */
  name: string;
  /** Calls in a minute. */
  calls: number;
}

/**
 * Limits of the routes that anybody may call. They leave room for an office behind one address and for a shelf of devices
 * that enrol at the same time, and none for guessing tokens.
 */
export const RATE_LIMITS: readonly RateLimit[] = [
  { name: 'sign-in', method: 'GET', path: '/auth/saml/login', calls: 60 },
  { name: 'assertion', method: 'POST', path: '/auth/saml/acs', calls: 60 },
  { name: 'logout', method: 'GET', path: '/auth/saml/slo', calls: 60 },
  { name: 'logout', method: 'POST', path: '/auth/saml/slo', calls: 60 },
  { name: 'install', method: 'GET', path: '/install/:account', calls: 120 },
  { name: 'package', method: 'GET', path: '/install/packages/:file', calls: 240 },
  { name: 'enrol', method: 'POST', path: '/agent/enrol', calls: 120 },
];

/** The limit of a route as the router knows it: by its pattern, so that no other spelling of the address goes round it. */
export function limitOf(method: string, path: string): RateLimit | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  return RATE_LIMITS.find((limit) => limit.method === asked && limit.path === path);
}
