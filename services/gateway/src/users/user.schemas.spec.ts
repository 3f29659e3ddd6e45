import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { Role, Status } from '@warren/proto/common/v1/common';
import { UserSchema } from '@warren/proto/tenancy/v1/tenancy';
import { listUsersQuery, userJson, userSchema } from './user.schemas.ts';

const ID = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';

describe('a user as JSON', () => {
  it.each([
    [Role.SUPER_ADMIN, 'SuperAdmin'],
    [Role.OWNER, 'Owner'],
    [Role.ADMIN, 'Admin'],
    [Role.MEMBER, 'Member'],
    [Role.UNSPECIFIED, ''],
  ])('has the role %s as %s', (role, name) => {
    const user = {
      id: ID,
      email: 'ann@acme.test',
      accountId: ID,
      status: Status.ACTIVE,
      groupId: ID,
      groupName: 'G',
      role,
    };
    const json = userJson(create(UserSchema, user));
    expect(userSchema.parse(json)).toEqual(json);
    expect(json).toMatchObject({ _id: ID, id: ID, status: 'Active', group: { id: ID, role: name, name: 'G' } });
  });
});

describe("the users' query", () => {
  it('has pages of 20', () => {
    expect(listUsersQuery.parse({})).toEqual({ page: 1, limit: 20, search: '', account: '', group: '' });
  });

  it('takes no group that is no id', () => {
    expect(listUsersQuery.safeParse({ group: 'Admins' }).error?.issues).toMatchObject([{ path: ['group'] }]);
  });
});
