import { describe, expect, it } from '@jest/globals';
import { safePath } from './relay-state.ts';

describe('safePath', () => {
  it.each(['/', '/devices', '/devices/ALL?search=a%20b&page=2#row', '/device/ssh/0199?x=https://a.test', '/a:b@c'])(
    'keeps %s',
    (path) => expect(safePath(path)).toBe(path),
  );

  it.each([
    '',
    'devices',
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '/a\u0000b',
    ' /devices',
    'https://evil.test',
    'javascript:alert(1)',
    'data:text/html,x',
    '/..//evil.test',
    '/./\\evil.test',
    '/auth/saml/logout',
    '/x/../auth/saml/logout',
    `/${'a'.repeat(3_000)}`,
    undefined,
    ['/a', '/b'],
  ])('goes home instead of %j', (path) => expect(safePath(path)).toBe('/'));
});
