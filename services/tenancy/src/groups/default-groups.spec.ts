import { describe, expect, it } from '@jest/globals';
import { defaultGroups } from './default-groups.ts';

describe('defaultGroups', () => {
  it('gives SuperAdmins to the operator account only', () => {
    expect(defaultGroups(true).map(({ name }) => name)).toContain('SuperAdmins');
    expect(defaultGroups(false)).toEqual([
      { name: 'Account Owners', role: 'Owner' },
      { name: 'Admins', role: 'Admin' },
      { name: 'Developers', role: 'Member' },
      { name: 'Members', role: 'Member' },
    ]);
  });
});
