import { create } from '@bufbuild/protobuf';
import { expect, it } from '@jest/globals';
import { ChangeScimUserRequestSchema } from '@warren/proto/tenancy/v1/scim';
import { changeOf } from './scim.user.fields.ts';
import type { ScimUserRow } from './scim.users.sql.ts';

const row = (more: Partial<ScimUserRow>) =>
  ({
    email: 'ann@acme.example',
    user_name: 'ann@acme.example',
    status: 'Active',
    given_name: 'Ann',
    family_name: 'Lee',
    ...more,
  }) as ScimUserRow;
const change = create(ChangeScimUserRequestSchema, { familyName: 'Li' });

it.each([
  ['follows a part that changes', 'Ann Lee', 'Ann Li'],
  ['stays if it says more than its parts', 'Dr. Ann Lee', 'Dr. Ann Lee'],
])('the name of a user %s', (_what, name, expected) => {
  expect(changeOf(row({ name }), change).user.name).toBe(expected);
});

const NAMED = 'ann@acme.example';
it.each([
  ['another user name that is no address', NAMED, { userName: 'ann' }, undefined],
  ['the user name in another case', NAMED, { userName: 'Ann@Acme.example' }, undefined],
  ['another address as the user name', NAMED, { userName: 'bob@acme.example' }, 'failed_precondition'],
  ['another user name and another address', NAMED, { userName: 'a', email: 'b@acme.example' }, 'failed_precondition'],
  ['an address beside the user name', NAMED, { email: 'bob@acme.example' }, undefined],
  ['an address as the user name of a user with another', 'ann', { userName: 'bob@acme.example' }, undefined],
  ['another address of a user with a user name', 'ann', { email: 'bob@acme.example' }, 'failed_precondition'],
  ['no address', 'ann', { email: '' }, 'failed_precondition'],
])('%s is a change of the address, or not', (_what, user_name, given, code) => {
  const apply = () => changeOf(row({ name: 'Ann Lee', user_name }), create(ChangeScimUserRequestSchema, given));
  if (code) expect(apply).toThrow(expect.objectContaining({ code }));
  else expect(apply().names.user_name).toBe('userName' in given ? given.userName : user_name);
});
