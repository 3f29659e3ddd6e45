import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import {
  ApiTokenSchema,
  DevicePermission,
  GuestSchema,
  Role,
  UserCallerSchema,
  type UserCaller,
} from '@warren/proto/common/v1/common';
import { serviceCaller, userCaller } from '../rpc/caller.ts';
import { IMPLIED_PERMISSIONS } from '@warren/rules/tokens';
import {
  ACTIONS,
  coversRole,
  isAction,
  listScope,
  may,
  permissionsOf,
  POLICY,
  requireMay,
  requireOfToken,
  serviceAccountPermissions,
  sightOf,
  type Action,
} from './policy.ts';

const OWN = 'account-own';
const OTHER = 'account-other';

function user(role: Role, operator: boolean): UserCaller {
  return create(UserCallerSchema, { userId: 'u', email: 'a@b.c', accountId: OWN, role, operator });
}

const people: Record<string, UserCaller> = {
  superAdmin: user(Role.SUPER_ADMIN, true),
  operatorOwner: user(Role.OWNER, true),
  operatorAdmin: user(Role.ADMIN, true),
  operatorMember: user(Role.MEMBER, true),
  owner: user(Role.OWNER, false),
  admin: user(Role.ADMIN, false),
  member: user(Role.MEMBER, false),
};

describe('the policy table', () => {
  it.each(
    Object.entries(POLICY).flatMap(([action, rule]) => Object.keys(people).map((who) => [action, who, rule] as const)),
  )('%s by %s holds as the table says, in the own account and in another', (action, who, rule) => {
    const scope = (rule as Record<string, string | undefined>)[who];
    const person = people[who] as UserCaller;
    expect(may(person, action as Action, OWN)).toBe(scope !== undefined);
    expect(may(person, action as Action, OTHER)).toBe(scope === 'all');
    expect(may(person, action as Action)).toBe(scope === 'all');
  });

  it('gives no customer role a scope beyond the own account', () => {
    for (const rule of Object.values(POLICY) as Record<string, string | undefined>[]) {
      for (const who of ['owner', 'admin', 'member']) expect([undefined, 'own']).toContain(rule[who]);
    }
  });

  it('covers a role by those who may do all of it, everywhere where it may', () => {
    const covered = (who: string, role: Role, operator: boolean) =>
      coversRole(people[who] as UserCaller, { role, operator });
    for (const who of ['superAdmin', 'owner', 'admin']) expect(covered(who, Role.ADMIN, false)).toBe(true);
    expect(covered('superAdmin', Role.ADMIN, true)).toBe(true);
    expect(covered('operatorAdmin', Role.ADMIN, true)).toBe(true);
    expect(covered('operatorOwner', Role.ADMIN, true)).toBe(false);
    expect(covered('operatorOwner', Role.MEMBER, true)).toBe(true);
    expect(covered('admin', Role.OWNER, false)).toBe(false);
    expect(covered('admin', Role.MEMBER, true)).toBe(false);
    expect(covered('member', Role.ADMIN, false)).toBe(false);
  });

  it('lets tokens of service accounts make no other tokens, and change nobody', () => {
    for (const person of Object.values(people)) {
      const names = serviceAccountPermissions(person);
      for (const name of ['profile.manage', 'requests.decide', 'tokens.manage', 'service-accounts.manage'])
        expect(names).not.toContain(name);
    }
    expect(serviceAccountPermissions(user(Role.MEMBER, false))).toEqual(
      expect.arrayContaining(['devices.read', 'devices.open']),
    );
  });

  it('denies everything to a SuperAdmin role outside the operator account', () => {
    expect(permissionsOf(user(Role.SUPER_ADMIN, false))).toEqual([]);
  });
});

describe('an API token', () => {
  const by = (who: string, permissions: string[], filter = '') =>
    create(UserCallerSchema, {
      ...(people[who] as UserCaller),
      token: create(ApiTokenSchema, { id: 't', permissions, filter }),
    });

  it('narrows the role, and adds nothing to it', () => {
    expect(permissionsOf(by('owner', ['devices.read', 'devices.manage']))).toEqual(['devices.read']);
    expect(permissionsOf(by('superAdmin', []))).toEqual([]);
    expect(may(by('superAdmin', ['devices.read']), 'devices.read', OTHER)).toBe(true);
    expect(may(by('superAdmin', ['devices.read']), 'devices.manage', OTHER)).toBe(false);
    expect(may(by('member', ['devices.read']), 'devices.read', OTHER)).toBe(false);
  });

  it('limited to some devices may read and open those, and nothing else', () => {
    expect(permissionsOf(by('superAdmin', [...ACTIONS], 'site=north'))).toEqual(['devices.read', 'devices.open']);
  });

  it('answers as the role does about what is out of sight, and names itself where it is too narrow', () => {
    const narrow = userCaller(by('owner', ['devices.read']));
    const narrowed = expect.objectContaining({
      code: 'permission_denied',
      message: 'this token may not do this (users.list).',
    });
    expect(() => requireMay(narrow, 'users.list', OWN, 'user 1')).toThrow(narrowed);
    expect(() => requireMay(narrow, 'users.list', OTHER, 'user 1')).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
    expect(() => listScope(narrow, 'users.list', '')).toThrow(narrowed);
    expect(sightOf(narrow)).toBe(OWN);
    expect(sightOf(userCaller(by('superAdmin', ['devices.read'])))).toBeUndefined();
    expect(() => requireOfToken(by('owner', ['devices.read']), 'users.list')).toThrow(narrowed);
    expect(() => requireOfToken(people['member'] as UserCaller, 'users.list')).not.toThrow();
  });

  it('needs no permission that does not exist', () => {
    const implied = Object.entries(IMPLIED_PERMISSIONS).flat(2);
    expect(implied.filter((name) => !isAction(name))).toEqual([]);
  });
});

describe('a guest', () => {
  const guestOf = (who: string, token = true) =>
    create(UserCallerSchema, {
      ...(people[who] as UserCaller),
      ...(token && { token: create(ApiTokenSchema, { id: 'g', permissions: [...ACTIONS], filter: 'id=d' }) }),
      guest: create(GuestSchema, { id: 'g', linkId: 'l', deviceId: 'd', permission: DevicePermission.TERMINAL }),
    });

  it.each(Object.keys(people))('of %s reads and opens devices of the own account at most', (who) => {
    for (const action of ACTIONS) {
      const expected = ['devices.read', 'devices.open'].includes(action);
      expect([action, may(guestOf(who), action, OWN)]).toEqual([action, expected]);
      expect([action, may(guestOf(who), action, OTHER)]).toEqual([action, false]);
      expect([action, may(guestOf(who), action)]).toEqual([action, false]);
    }
  });

  it('may do nothing without what narrows the link to its device', () => {
    expect(permissionsOf(guestOf('superAdmin', false))).toEqual([]);
    expect(may(guestOf('owner', false), 'devices.open', OWN)).toBe(false);
  });
});

describe('explicit grants', () => {
  const restricted = { ...user(Role.MEMBER, false), explicitGrants: true };

  it('leave a member no device, and everything else as it is', () => {
    for (const action of Object.keys(POLICY) as Action[]) {
      const takes = action === 'devices.read' || action === 'devices.open';
      expect([action, may(restricted, action, OWN)]).toEqual([
        action,
        !takes && may(user(Role.MEMBER, false), action, OWN),
      ]);
      for (const other of [user(Role.OWNER, false), user(Role.ADMIN, false), user(Role.MEMBER, true)])
        expect(may({ ...other, explicitGrants: true }, action, OWN)).toBe(may(other, action, OWN));
    }
    expect(() => listScope(userCaller(restricted), 'devices.read', '')).toThrow(
      expect.objectContaining({ code: 'permission_denied' }),
    );
  });
});

describe('requireMay', () => {
  it('answers not found for another account, to hide what is there', () => {
    const caller = userCaller(people['member'] as UserCaller);
    expect(() => requireMay(caller, 'devices.read', OTHER, 'device 1')).toThrow(
      expect.objectContaining({ code: 'not_found', message: 'device 1.' }),
    );
  });

  it('answers permission denied to a role that may nowhere, for what it sees alone', () => {
    const caller = userCaller(people['member'] as UserCaller);
    expect(() => requireMay(caller, 'devices.manage', OWN, 'device 1')).toThrow(
      expect.objectContaining({ code: 'permission_denied' }),
    );
    expect(() => requireMay(caller, 'devices.manage', OTHER, 'device 1')).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
    const operator = userCaller(people['operatorMember'] as UserCaller);
    for (const account of [OWN, OTHER])
      expect(() => requireMay(operator, 'devices.manage', account, 'device 1')).toThrow(
        expect.objectContaining({ code: 'permission_denied' }),
      );
  });

  it('lets no service pass for a user', () => {
    expect(() => requireMay(serviceCaller('gateway'), 'devices.read', OWN, 'device 1')).toThrow(
      expect.objectContaining({ code: 'permission_denied' }),
    );
  });
});

describe('the fault of another account', () => {
  const caller = userCaller(people['owner'] as UserCaller);

  it('says so where the request names the account, and nothing of what is found by its id', () => {
    const named = expect.objectContaining({ code: 'not_found', otherAccount: true });
    expect(() => requireMay(caller, 'groups.list', OTHER)).toThrow(named);
    expect(() => listScope(caller, 'groups.list', OTHER)).toThrow(named);
    const found = expect.objectContaining({ code: 'not_found', otherAccount: false });
    expect(() => requireMay(caller, 'groups.list', OTHER, 'group 1')).toThrow(found);
  });
});

describe('listScope', () => {
  it('filters a customer to the own account, asked for or not', () => {
    const caller = userCaller(people['member'] as UserCaller);
    expect(listScope(caller, 'devices.read', '').accountId).toBe(OWN);
    expect(listScope(caller, 'devices.read', OWN).accountId).toBe(OWN);
    expect(() => listScope(caller, 'devices.read', OTHER)).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(() => listScope(caller, 'users.list', OTHER)).toThrow(expect.objectContaining({ code: 'not_found' }));
    for (const account of ['', OWN])
      expect(() => listScope(caller, 'users.list', account)).toThrow(
        expect.objectContaining({ code: 'permission_denied' }),
      );
  });

  it('lets an operator see every account, or the one asked for', () => {
    const caller = userCaller(people['operatorMember'] as UserCaller);
    expect(listScope(caller, 'devices.read', '').accountId).toBeUndefined();
    expect(listScope(caller, 'devices.read', OTHER).accountId).toBe(OTHER);
  });
});
