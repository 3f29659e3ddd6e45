import { create } from '@bufbuild/protobuf';
import { expect, it } from '@jest/globals';
import { Role } from '@warren/proto/common/v1/common';
import { GroupSchema } from '@warren/proto/tenancy/v1/tenancy';
import { groupJson, groupSchema } from './group.schemas.ts';

const ID = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';
const ACCOUNT = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e60';

it('a group as JSON has the fields of the specification', () => {
  const group = {
    id: ID,
    name: 'Admins',
    accountId: ACCOUNT,
    accountName: 'Acme',
    role: Role.ADMIN,
    userCount: 3,
    default: true,
  };
  const json = groupJson(create(GroupSchema, group));
  expect(groupSchema.parse(json)).toEqual(json);
  expect(json).toEqual({
    _id: ID,
    id: ID,
    name: 'Admins',
    account: ACCOUNT,
    account_id: ACCOUNT,
    account_name: 'Acme',
    role: 'Admin',
    user_count: 3,
    default: 'Yes',
  });
});
