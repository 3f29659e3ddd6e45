import { expect, it } from '@jest/globals';
import { scimPath } from './scim.path.ts';

it.each([
  ['active', { attribute: 'active' }],
  [' Name.GivenName ', { attribute: 'name', sub: 'givenname' }],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName', { attribute: 'username' }],
  ['members[value eq "a]b"]', { attribute: 'members', filter: { op: 'eq', attrPath: 'value', compValue: 'a]b' } }],
  [
    'emails[type eq "work"].value',
    { attribute: 'emails', filter: { op: 'eq', attrPath: 'type', compValue: 'work' }, sub: 'value' },
  ],
])('%s is a path', (text, path) => {
  expect(scimPath(text)).toEqual(path);
});

it.each([
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
])('%s is of an extension', (text) => {
  expect(scimPath(text)).toBeUndefined();
});

it.each(['', '.', 'a.b.c', 'members[', 'members[]', 'members[value eq]', 'a b', '__proto__', 'a[b pr]c', '\u0000'])(
  '%j is no path',
  (text) => {
    expect(() => scimPath(text)).toThrow(expect.objectContaining({ scimType: 'invalidPath' }));
  },
);
