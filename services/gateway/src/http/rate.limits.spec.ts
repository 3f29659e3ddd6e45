import { expect, it } from '@jest/globals';
import { names, PUBLIC_ROUTES } from '../auth/public-routes.ts';
import { limitOf, RATE_LIMITS } from './rate.limits.ts';

it('every limit is one of a public route', () => {
  expect(RATE_LIMITS.filter(({ method, path }) => !names(PUBLIC_ROUTES, method, path))).toEqual([]);
});

it('HEAD counts as GET', () => {
  expect(limitOf('HEAD', '/install/:account')).toBe(limitOf('GET', '/install/:account'));
  expect(limitOf('GET', '/api/devices')).toBeUndefined();
});
