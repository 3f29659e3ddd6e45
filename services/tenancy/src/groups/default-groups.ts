import type { RoleName } from '../contract/enums.ts';

/** Names of the groups that Warren makes itself (spec section 3). */
export const DEFAULT_GROUPS = ['SuperAdmins', 'Account Owners', 'Admins', 'Developers', 'Members'] as const;
export type DefaultGroup = (typeof DEFAULT_GROUPS)[number];

const ROLES: Record<DefaultGroup, RoleName> = {
  SuperAdmins: 'SuperAdmin',
  'Account Owners': 'Owner',
  Admins: 'Admin',
  Developers: 'Member',
  Members: 'Member',
};

/** The groups of a new account, with their roles. SuperAdmins are the operator account's alone (decisions). */
export function defaultGroups(operator: boolean): { name: DefaultGroup; role: RoleName }[] {
  return DEFAULT_GROUPS.filter((name) => operator || name !== 'SuperAdmins').map((name) => ({
    name,
    role: ROLES[name],
  }));
}

/** Where the users of a group go that is deleted, by its role. Other roles have default groups only, which stay. */
export const HOME_GROUPS = { Admin: 'Admins', Member: 'Members' } as const satisfies Partial<
  Record<RoleName, DefaultGroup>
>;
