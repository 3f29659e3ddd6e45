import { expect, it } from '@jest/globals';
import { userPatch } from './user.fields.ts';

it.each([
  ['emails[type eq "work"].value', { email: 'ann@acme.example' }],
  ['emails[primary eq true].value', { email: 'ann@acme.example' }],
  ['emails.value', { email: 'ann@acme.example' }],
  ['emails[type eq "home"].value', {}],
])('a PATCH of %s changes the address that counts, or nothing', (path, expected) => {
  const off = { op: 'replace', path: 'active', value: false } as const;
  const patch = userPatch([{ op: 'replace', path, value: 'ann@acme.example' }, off]);
  expect(patch).toEqual({ ...expected, active: false });
});
