import { describe, expect, it } from '@jest/globals';
import { names, PUBLIC_ROUTES } from './public-routes.ts';
import { limitOf, RATE_LIMITS, RATES, rateLimitsSchema } from './rate.limits.ts';

it('every limit is one of a public route', () => {
  expect(RATE_LIMITS.filter(({ method, path }) => !names(PUBLIC_ROUTES, method, path))).toEqual([]);
});

it('HEAD counts as GET', () => {
  expect(limitOf('HEAD', '/install/:account')).toBe(limitOf('GET', '/install/:account'));
  expect(limitOf('GET', '/api/devices')).toBeUndefined();
});

describe('the setting', () => {
  it('keeps the limits, changes some, or turns all off', () => {
    expect(rateLimitsSchema.parse(undefined)).toEqual(RATES);
    expect(rateLimitsSchema.parse('Yes')).toEqual(RATES);
    expect(rateLimitsSchema.parse('sign-in=600, enrol=1200')).toEqual({ ...RATES, 'sign-in': 600, enrol: 1_200 });
    expect(rateLimitsSchema.parse('No')).toBe(false);
  });

  it.each([
    ['enroll=5', '"enroll" is no limit: expected Yes, No, or names and numbers such as sign-in=600,enrol=1200; names'],
    ['perhaps', '"perhaps" is no limit'],
    ['toString=5', '"toString" is no limit'],
    ['enrol=0', 'enrol: expected a whole number from 1 to 1000000, such as enrol=600'],
    ['enrol', 'enrol: expected a whole number'],
    ['enrol=1e3', 'enrol: expected a whole number'],
    ['sign-in=1000001', 'sign-in: expected a whole number'],
    ['enrol=5=6', 'enrol: expected a whole number'],
    ['enrol=5,', '"" is no limit'],
  ])('refuses %j with what is expected', (text, message) => {
    expect(rateLimitsSchema.safeParse(text).error?.issues[0]?.message).toContain(message);
  });
});
