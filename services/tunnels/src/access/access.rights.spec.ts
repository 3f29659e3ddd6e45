import { create } from '@bufbuild/protobuf';
import { expect, it } from '@jest/globals';
import { userCaller } from '@warren/platform/rpc/caller';
import {
  ApiTokenSchema,
  DevicePermission,
  GuestSchema,
  Role,
  Status,
  UserCallerSchema,
} from '@warren/proto/common/v1/common';
import { CheckDeviceAccessResponseSchema } from '@warren/proto/devices/v1/devices';
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

it('asks which devices an API token with a filter is for, whatever the role allows', async () => {
  const limited = create(UserCallerSchema, {
    accountId: 'a',
    role: Role.MEMBER,
    token: { id: 't1', permissions: ['devices.read', 'devices.open'], filter: 'site=north' },
  });
  const rights = [{ permission: DevicePermission.VIEW }, { permission: DevicePermission.TERMINAL }];
  const answers = [{ devices: [{ deviceId: 'd1', rights }] }, { devices: [] }];
  const asked: unknown[] = [];
  const access = new AccessRights(
    {} as never,
    {} as never,
    {
      checkDeviceAccess: async (_caller: unknown, request: object) => {
        asked.push(request);
        return create(CheckDeviceAccessResponseSchema, answers[asked.length - 1]);
      },
    } as never,
  );
  const of = { accountId: 'a', ids: ['d1', 'd2'] };
  expect([...(await access.permitted(limited, DevicePermission.TERMINAL, of)).keys()]).toEqual(['d1']);
  const needed = { permission: DevicePermission.TERMINAL, action: 'devices.open' } as const;
  const outside = access.require(userCaller(limited), needed, { accountId: 'a', deviceId: 'd2' });
  await expect(outside).rejects.toMatchObject({ code: 'not_found' });
  expect(asked).toEqual([
    { user: limited, deviceIds: ['d1', 'd2'] },
    { user: limited, deviceIds: ['d2'] },
  ]);
  expect((await access.permitted({ ...limited, token }, DevicePermission.VIEW, of)).size).toBe(2);
});
