import type { Route } from '../auth/public-routes.ts';

/** How often one address may call a public route. */
export interface RateLimit extends Route {
  /** Routes with the same name are counted together. */
  name: string;
  /** Calls in a minute. */
  calls: number;
}

/**
 * Limits of the routes that anybody may call. They leave room for an office behind one address in the morning and for a shelf
 * of 500 devices that enrol with one token (decisions), and keep one address from keeping the hub busy.
 */
export const RATE_LIMITS: readonly RateLimit[] = [
  { name: 'sign-in', method: 'GET', path: '/auth/saml/login', calls: 300 },
  { name: 'assertion', method: 'POST', path: '/auth/saml/acs', calls: 300 },
  { name: 'logout', method: 'GET', path: '/auth/saml/slo', calls: 300 },
  { name: 'logout', method: 'POST', path: '/auth/saml/slo', calls: 300 },
  { name: 'invitation', method: 'GET', path: '/api/invitation', calls: 120 },
  { name: 'invitation', method: 'POST', path: '/api/signup', calls: 120 },
  { name: 'install', method: 'GET', path: '/install/:account', calls: 600 },
  { name: 'package', method: 'GET', path: '/install/packages/:file', calls: 600 },
  { name: 'enrol', method: 'POST', path: '/agent/enrol', calls: 600 },
  { name: 'rotate', method: 'POST', path: '/agent/rotate_key', calls: 600 },
  { name: 'separate', method: 'POST', path: '/agent/separate', calls: 600 },
];

/** The limit of a route as the router knows it: by its pattern, so that no other spelling of the address goes round it. */
export function limitOf(method: string, path: string): RateLimit | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  return RATE_LIMITS.find((limit) => limit.method === asked && limit.path === path);
}
