import { create } from '@bufbuild/protobuf';
import { expect, it } from '@jest/globals';
import { ApiTokenSchema, GuestSchema, Role, Status } from '@warren/proto/common/v1/common';
import { ResolveMemberResponseSchema } from '@warren/proto/tenancy/v1/tenancy';
import { AccessRights } from './access.rights.ts';

const user = { id: 'u1', email: 'runner@service-account.invalid', accountId: 'a', role: Role.MEMBER };
const answer = { user: { ...user, status: Status.ACTIVE }, accountStatus: Status.ACTIVE, serviceAccount: true };
const token = create(ApiTokenSchema, { id: 't1', permissions: ['devices.read'] });
const rights = new AccessRights(
  { resolveMember: async () => create(ResolveMemberResponseSchema, answer) } as never,
  {} as never,
  {} as never,
);

it('reads a user again within the API token of before', async () => {
  const now = await rights.member({ email: user.email, userId: 'u1', token });
  expect(now).toMatchObject({ userId: 'u1', role: Role.MEMBER, serviceAccount: true, token: { id: 't1' } });
  expect((await rights.member({ email: user.email, userId: 'u1' }))?.token).toBeUndefined();
  expect(await rights.member({ email: user.email, userId: 'other', token })).toBeUndefined();
});

it('reads a guest again within the link, while the account allows guest links', async () => {
  const guest = create(GuestSchema, { id: 'g1', name: 'Grace', linkId: 'l1', deviceId: 'd1' });
  const of = { email: user.email, userId: 'u1', token, guest };
  expect(await rights.member(of)).toBeUndefined();
  const allowing = new AccessRights(
    { resolveMember: async () => create(ResolveMemberResponseSchema, { ...answer, guestLinks: true }) } as never,
    {} as never,
    {} as never,
  );
  expect(await allowing.member(of)).toMatchObject({ userId: 'u1', token: { id: 't1' }, guest: { id: 'g1' } });
});
