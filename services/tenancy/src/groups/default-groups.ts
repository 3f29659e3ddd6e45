import type { RoleName } from '../contract/enums.ts';

/** Names of the groups that Warren creates (spec section 3). */
export const DEFAULT_GROUPS = ['SuperAdmins', 'Account Owners', 'Admins', 'Developers', 'Members'] as const;
export type DefaultGroup = (typeof DEFAULT_GROUPS)[number];

const ROLES: Record<DefaultGroup, RoleName> = {
  SuperAdmins: 'SuperAdmin',
  'Account Owners': 'Owner',
  Admins: 'Admin',
  Developers: 'Member',
  Members: 'Member',
};

/** The groups of a new account, with their roles. Only the operator account has SuperAdmins (decisions). */
export function defaultGroups(operator: boolean): { name: DefaultGroup; role: RoleName }[] {
  return DEFAULT_GROUPS.filter((name) => operator || name !== 'SuperAdmins').map((name) => ({
    name,
    role: ROLES[name],
  }));
}

/** Target groups for the users of a deleted group, by its role. Other roles only have default groups, which stay. */
export const HOME_GROUPS = { Admin: 'Admins', Member: 'Members' } as const satisfies Partial<
  Record<RoleName, DefaultGroup>
>;
