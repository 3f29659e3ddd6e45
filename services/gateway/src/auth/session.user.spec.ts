import { describe, expect, it } from '@jest/globals';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { DevicePermission, Role, Status } from '@warren/proto/common/v1/common';
import { GetSessionResponseSchema } from '@warren/proto/identity/v1/identity';
import { ResolveMemberResponseSchema } from '@warren/proto/tenancy/v1/tenancy';
import { sessionSchema, sessionUser } from './session.user.ts';

const USER = {
  id: 'u',
  email: 'boss@hub.test',
  name: 'Boss',
  picture: '/p.png',
  accountId: 'a',
  accountName: 'Acme',
  groupId: 'g',
  role: Role.OWNER,
  status: Status.ACTIVE,
};
const LISTS = { OPERATOR_EMAIL: 'boss@hub.test', SETTINGS_EMAILS: undefined, WEBSSH_EMAILS: ['other@hub.test'] };

function told(member: MessageInitShape<typeof ResolveMemberResponseSchema>) {
  const session = create(GetSessionResponseSchema, {
    identityId: 'i',
    saml: { email: 'boss@hub.test', name: 'From SAML' },
  });
  const signedIn = { session, secret: 's', member: create(ResolveMemberResponseSchema, member) };
  return sessionSchema.parse(sessionUser(signedIn, LISTS));
}

describe('sessionUser', () => {
  it('has a user with account, group, role and permissions', () => {
    expect(told({ user: USER, accountStatus: Status.ACTIVE })).toMatchObject({
      user: 'u',
      name: 'Boss',
      account: 'a',
      account_name: 'Acme',
      status: 'Active',
      need_accept: 'No',
      group: { id: 'g', role: 'Owner' },
      operator: false,
      permissions: expect.arrayContaining(['devices.read', 'devices.enrol']),
      settings: true,
      webssh: false,
    });
  });

  it('has what grants that have not expired allow on some devices', () => {
    const grant = (permissions: DevicePermission[], expires: Date) => ({
      permissions,
      expires: timestampFromDate(expires),
    });
    const member = {
      user: { ...USER, role: Role.MEMBER },
      accountStatus: Status.ACTIVE,
      grants: [
        grant([DevicePermission.VIEW, DevicePermission.MANAGE], new Date(Date.now() + 60_000)),
        grant([DevicePermission.DESKTOP], new Date(0)),
      ],
    };
    expect(told(member).granted).toEqual(['view', 'manage']);
    expect(told({ ...member, accountStatus: Status.INACTIVE }).granted).toEqual([]);
  });

  it("has a person without an account by the provider's name, without permissions", () => {
    expect(told({})).toEqual({
      user: '',
      name: 'From SAML',
      email: 'boss@hub.test',
      picture: '',
      account: '',
      account_name: '',
      status: 'Active',
      need_accept: 'No',
      accept_token: '',
      invitation_account: '',
      group: { id: '', role: '' },
      operator: false,
      permissions: [],
      granted: [],
      settings: false,
      webssh: false,
      access_requests: false,
      guest_links: false,
    });
  });

  it('has an invitation', () => {
    const invitation = { id: 'i', accountId: 'b', accountName: 'B' };
    expect(told({ invitation })).toMatchObject({ need_accept: 'Yes', invitation_account: 'b', account: '' });
  });

  it.each([
    ['the user', { user: { ...USER, status: Status.INACTIVE }, accountStatus: Status.ACTIVE }],
    ['the account', { user: USER, accountStatus: Status.INACTIVE }],
  ])('is Inactive and allows nothing when %s is', (_what, member) => {
    expect(told({ ...member, operator: true })).toMatchObject({
      status: 'Inactive',
      permissions: [],
      settings: false,
      operator: false,
    });
  });
});
