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
