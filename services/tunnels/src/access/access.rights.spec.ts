import { create } from '@bufbuild/protobuf';
import { expect, it } from '@jest/globals';
import { ApiTokenSchema, GuestSchema, Role, Status } from '@warren/proto/common/v1/common';
import { ResolveMemberResponseSchema } from '@warren/proto/tenancy/v1/tenancy';
import { AccessRights } from './access.rights.ts';

const user = { id: 'u1', email: 'runner@service-account.invalid', accountId: 'a', role: Role.MEMBER };
const answer = { user: { ...user, status: Status.ACTIVE }, accountStatus: Status.ACTIVE, serviceAccount: true };
const token = create(ApiTokenSchema, { id: 't1', permissions: ['devices.read'] });
const rightsBy = (said: object) =>
  new AccessRights(
    { resolveMember: async () => create(ResolveMemberResponseSchema, { ...answer, ...said }) } as never,
    {} as never,
    {} as never,
  );
const rights = rightsBy({});

it('reads a user again within the API token of before', async () => {
  const now = await rights.member({ email: user.email, userId: 'u1', token });
  expect(now).toMatchObject({ userId: 'u1', role: Role.MEMBER, serviceAccount: true, token: { id: 't1' } });
  expect((await rights.member({ email: user.email, userId: 'u1' }))?.token).toBeUndefined();
  expect(await rights.member({ email: user.email, userId: 'other', token })).toBeUndefined();
});

it('reads a guest again within the link, while the account allows guest links', async () => {
  const guest = create(GuestSchema, { id: 'g1', name: 'Grace', linkId: 'l1', deviceId: 'd1' });
  const of = { email: user.email, userId: 'u1', token, guest };
  expect(await rightsBy({ guestLinks: false }).member(of)).toBeUndefined();
  const allowed = await rightsBy({ guestLinks: true }).member(of);
  expect(allowed).toMatchObject({ userId: 'u1', token: { id: 't1' }, guest: { id: 'g1' } });
  // A tenancy service of the version before does not say, which ends nothing for good.
  await expect(rights.member(of)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await rightsBy({ accountStatus: Status.INACTIVE }).member(of)).toBeUndefined();
});
