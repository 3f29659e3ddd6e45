import { create } from '@bufbuild/protobuf';
import { expect, it } from '@jest/globals';
import { Status } from '@warren/proto/common/v1/common';
import { ResolveMemberResponseSchema } from '@warren/proto/tenancy/v1/tenancy';
import { denialOf } from './access.ts';

const { ACTIVE, INACTIVE } = Status;
const user = { id: 'u', accountId: 'a', groupId: 'g', status: ACTIVE };
const invitation = { id: 'i' };
const program = { ...user, groupId: '' };

it.each([
  ['an active user', { user, accountStatus: ACTIVE }, undefined],
  ['a disabled user', { user: { ...user, status: INACTIVE }, accountStatus: ACTIVE }, 'account_disable'],
  ['a user of a disabled account', { user, accountStatus: INACTIVE }, 'account_disable'],
  ['a user without a group', { user: program, accountStatus: ACTIVE }, 'account_issue'],
  ['an invited person', { invitation }, 'need_accept'],
  ['a stranger', {}, 'account_issue'],
  ['a service account', { user: program, accountStatus: ACTIVE, serviceAccount: true }, undefined],
  ['a disabled one', { user: { ...program, status: INACTIVE }, serviceAccount: true }, 'account_disable'],
])('says whether %s has access', (_who, member, denial) => {
  expect(denialOf(create(ResolveMemberResponseSchema, member))).toBe(denial);
});
