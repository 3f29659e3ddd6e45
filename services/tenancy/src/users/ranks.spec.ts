import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { Role, UserCallerSchema } from '@warren/proto/common/v1/common';
import { requireJoinable, requireNarrower } from './ranks.ts';

const by = (role: Role) => create(UserCallerSchema, { role });

describe('who may change whom', () => {
  it.each(['Owner', 'SuperAdmin'] as const)('is no Admin for a user with the role %s', (target) => {
    expect(() => requireNarrower(by(Role.ADMIN), target)).toThrow(
      expect.objectContaining({ code: 'permission_denied' }),
    );
    for (const role of [Role.OWNER, Role.SUPER_ADMIN]) expect(() => requireNarrower(by(role), target)).not.toThrow();
  });

  it.each(['Admin', 'Member'] as const)('is an Admin for a user with the role %s', (target) => {
    expect(() => requireNarrower(by(Role.ADMIN), target)).not.toThrow();
  });
});

describe('a group to join', () => {
  it('is none of owners, for anybody', () => {
    const join = () => requireJoinable(by(Role.SUPER_ADMIN), { name: 'Account Owners', role: 'Owner' });
    expect(join).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });

  it('is SuperAdmins by a SuperAdmin alone', () => {
    const group = { name: 'SuperAdmins', role: 'SuperAdmin' } as const;
    expect(() => requireJoinable(by(Role.SUPER_ADMIN), group)).not.toThrow();
    for (const role of [Role.OWNER, Role.ADMIN])
      expect(() => requireJoinable(by(role), group)).toThrow(expect.objectContaining({ code: 'permission_denied' }));
  });
});
