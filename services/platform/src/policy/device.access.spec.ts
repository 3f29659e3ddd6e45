import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import {
  AccessGrantSchema,
  ApiTokenSchema,
  DevicePermission,
  GuestSchema,
  Role,
  UserCallerSchema,
  type AccessGrant,
  type UserCaller,
} from '@warren/proto/common/v1/common';
import { userCaller } from '../rpc/caller.ts';
import { addingGrants, deviceScope, requireRight, rightsOn } from './device.access.ts';

const { VIEW, TERMINAL, DESKTOP, WEB, MANAGE } = DevicePermission;
const [OWN, OTHER, NOW] = ['account-own', 'account-other', 1_800_000_000_000];

function user(role: Role, more: Partial<UserCaller> = {}): UserCaller {
  const known = { userId: 'u', email: 'a@b.c', accountId: OWN, role };
  return Object.assign(create(UserCallerSchema, known), more);
}

function grant(id: string, permissions: DevicePermission[], expires?: number): AccessGrant {
  return create(AccessGrantSchema, { id, permissions, ...(expires ? { expires: timestampFromMs(expires) } : {}) });
}

const restricted = user(Role.MEMBER, { explicitGrants: true });
const byOf = (rights: ReturnType<typeof rightsOn>) =>
  Object.fromEntries(rights.map(({ permission, grantId }) => [permission, grantId]));

describe('rights on a device', () => {
  it('come from the role, which is the reason that is shown', () => {
    const granted = [grant('g', [VIEW, TERMINAL])];
    expect(byOf(rightsOn(user(Role.MEMBER), OWN, granted, NOW))).toEqual({
      [VIEW]: '',
      [TERMINAL]: '',
      [DESKTOP]: '',
      [WEB]: '',
    });
    expect(byOf(rightsOn(user(Role.SUPER_ADMIN, { operator: true }), OTHER, [], NOW))[MANAGE]).toBe('');
  });

  it('come from grants where the role gives none; each includes to view', () => {
    expect(rightsOn(restricted, OWN, [], NOW)).toEqual([]);
    expect(byOf(rightsOn(restricted, OWN, [grant('g', [WEB])], NOW))).toEqual({ [VIEW]: 'g', [WEB]: 'g' });
    expect(byOf(rightsOn(user(Role.OWNER), OWN, [grant('g', [MANAGE])], NOW))[MANAGE]).toBe('g');
  });

  it('never reach another account, nor beyond the expiry', () => {
    const granted = [grant('g', [VIEW])];
    expect(rightsOn(restricted, OTHER, granted, NOW)).toEqual([]);
    expect(rightsOn(restricted, OWN, [grant('g', [VIEW], NOW)], NOW)).toEqual([]);
    expect(rightsOn(restricted, OWN, [grant('g', [VIEW], NOW + 1)], NOW)).toMatchObject([{ grantId: 'g' }]);
  });

  it('end with the last grant that gives them', () => {
    const [soon, late, never] = [grant('a', [VIEW], NOW + 1), grant('b', [VIEW], NOW + 2), grant('c', [VIEW])];
    expect(rightsOn(restricted, OWN, [soon, late], NOW)).toMatchObject([{ grantId: 'b', until: late.expires }]);
    const [lasting] = rightsOn(restricted, OWN, [never, late], NOW);
    expect(lasting).toEqual({ permission: VIEW, grantId: 'c' });
  });

  it('of a guest are to view and one more, however many the maker has', () => {
    const token = create(ApiTokenSchema, { id: 'g', permissions: ['devices.read', 'devices.open'], filter: 'id=d' });
    const guest = create(GuestSchema, { id: 'g', linkId: 'l', deviceId: 'd', permission: TERMINAL });
    expect(byOf(rightsOn(user(Role.OWNER, { token, guest }), OWN, [], NOW))).toEqual({ [VIEW]: '', [TERMINAL]: '' });
    const member = user(Role.MEMBER, { explicitGrants: true, token, guest });
    expect(rightsOn(member, OWN, [grant('g', [DESKTOP, WEB])], NOW)).toMatchObject([{ permission: VIEW }]);
    expect(rightsOn(member, OWN, [grant('g', [TERMINAL])], NOW)).toHaveLength(2);
    expect(rightsOn(user(Role.SUPER_ADMIN, { operator: true, token, guest }), OTHER, [], NOW)).toEqual([]);
    const of = { id: 'g', linkId: 'l', deviceId: 'd', permission: WEB };
    const web = create(GuestSchema, { ...of, web: { slug: 's', ip: '127.0.0.1', port: 80 } });
    expect(byOf(rightsOn(user(Role.OWNER, { token, guest: web }), OWN, [], NOW))).toEqual({ [VIEW]: '', [WEB]: '' });
    // Which web service is not known.
    const vague = create(GuestSchema, of);
    expect(byOf(rightsOn(user(Role.OWNER, { token, guest: vague }), OWN, [], NOW))).toEqual({ [VIEW]: '' });
  });

  it('are required: what may not be viewed is not found', () => {
    expect(() => requireRight([], TERMINAL, 'device 1')).toThrow(expect.objectContaining({ code: 'not_found' }));
    const seen = [{ permission: VIEW }];
    expect(() => requireRight(seen, TERMINAL, 'device 1')).toThrow(
      expect.objectContaining({ code: 'permission_denied' }),
    );
    expect(requireRight(seen, VIEW, 'device 1')).toBeUndefined();
  });
});

describe('the devices of a list', () => {
  it('are those of grants that have not expired, for a restricted member alone', () => {
    const grants = [grant('a', [VIEW], NOW), grant('b', [VIEW])];
    const scope = deviceScope(userCaller({ ...restricted, grants }), '', { now: NOW });
    expect(scope).toMatchObject({ accountId: OWN, grants: [{ id: 'b' }] });
    expect(scope.grants).toHaveLength(1);
    expect(
      deviceScope(userCaller({ ...user(Role.ADMIN), explicitGrants: true, grants }), '', { now: NOW }).grants,
    ).toBeUndefined();
    expect(() => deviceScope(userCaller(restricted), OTHER)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });
});

it('callers carry the grants that add to their role', () => {
  const grants = [grant('a', [VIEW, TERMINAL]), grant('b', [VIEW, MANAGE])];
  const of = (role: Role, explicit: boolean) =>
    addingGrants({ role, operator: false }, explicit, grants).map(({ id }) => id);
  expect(of(Role.MEMBER, true)).toEqual(['a', 'b']);
  expect(of(Role.MEMBER, false)).toEqual(['b']);
  expect(of(Role.OWNER, true)).toEqual(['b']);
});
