import { describe, expect, it } from '@jest/globals';
import { requireOwnOrigin, startedHere } from './origin.ts';

const HUB = 'https://hub.test';

describe('requireOwnOrigin', () => {
  it.each<[string, Record<string, string>]>([
    ['the own origin', { origin: HUB }],
    ['a hidden origin with Sec-Fetch-Site', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['Sec-Fetch-Site alone', { 'sec-fetch-site': 'same-origin' }],
  ])('lets %s through', (_what, headers) => {
    expect(() => requireOwnOrigin('POST', headers, HUB)).not.toThrow();
  });

  it.each<Record<string, string>>([
    {},
    { origin: 'null' },
    { origin: 'https://evil.test' },
    { origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' },
    { origin: 'http://hub.test' },
    { origin: 'https://hub.test.evil.test' },
    { origin: 'https://slug.devices.hub.test', 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
  ])('refuses %j', (headers) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY']) {
      expect(() => requireOwnOrigin(method, headers, HUB)).toThrow(/expected a request from https:\/\/hub\.test/);
    }
  });

  it('accepts requests that change nothing', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      expect(() => requireOwnOrigin(method, { origin: 'https://evil.test' }, HUB)).not.toThrow();
    }
  });
});

describe('startedHere', () => {
  it.each([
    [undefined, true],
    ['none', true],
    ['same-origin', true],
    ['same-site', false],
    ['cross-site', false],
  ])('is for Sec-Fetch-Site %s: %s', (site, here) => {
    expect(startedHere(site === undefined ? {} : { 'sec-fetch-site': site })).toBe(here);
  });
});
