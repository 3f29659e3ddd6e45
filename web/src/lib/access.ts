/**
 * What the console shows to whom (specification, sections 5 and 6). The hub decides again at each call; this only keeps people
 * from standing before a door that won't open.
 */
export type Role = 'SuperAdmin' | 'Owner' | 'Admin' | 'Member';

/** As much of the session as access depends on. */
export interface Person {
  account: string;
  operator: boolean;
  settings: boolean;
  group: { role: string } | null;
}

export const ALL = 'ALL';

const role = (person: Person) => person.group?.role;

const isDirector = (person: Person) => role(person) === 'SuperAdmin' || (role(person) === 'Admin' && person.operator);

const isManager = (person: Person) => ['SuperAdmin', 'Owner', 'Admin'].includes(role(person) ?? '');

/** Screens that not everyone may see; a screen that is not named here is open to any signed-in active user. */
export type Screen =
  | 'accounts'
  | 'allUsers'
  | 'users'
  | 'groups'
  | 'owners'
  | 'allDevices'
  | 'updates'
  | 'jobs'
  | 'window'
  | 'limits'
  | 'usage'
  | 'settings';

const screens: Record<Screen, (person: Person) => boolean> = {
  accounts: isDirector,
  allUsers: isDirector,
  users: isManager,
  groups: isManager,
  owners: (person) => role(person) === 'SuperAdmin',
  allDevices: (person) => person.operator,
  updates: (person) => role(person) === 'SuperAdmin',
  jobs: (person) => role(person) === 'SuperAdmin',
  window: isManager,
  limits: (person) => isManager(person) || person.operator,
  usage: isManager,
  settings: (person) => person.settings,
};

export const maySee = (person: Person, screen: Screen): boolean => screens[screen](person);

/** People outside the operator account stay in their own account; `account` is the route's, undefined when it names none. */
export function mayVisit(person: Person, account: string | undefined): boolean {
  return account === undefined || role(person) === 'SuperAdmin' || person.operator || account === person.account;
}

/** Install-agent: a SuperAdmin with one account chosen, and an Owner in the own account. */
export function mayEnrol(person: Person, account: string): boolean {
  if (account === ALL) return false;
  return role(person) === 'SuperAdmin' || (role(person) === 'Owner' && account === person.account);
}

/** When an account's devices may be updated: its owner and admins, and SuperAdmins. */
export const mayScheduleUpdates = (person: Person, account: string): boolean =>
  role(person) === 'SuperAdmin' || (isManager(person) && account === person.account);

/** What an account has used: its owner and admins, and those who see every account. */
export const mayReadUsage = (person: Person, account: string): boolean =>
  isDirector(person) || (isManager(person) && account === person.account);

/** What every account has used, for their bills. */
export const mayExportUsage = isDirector;

/** Create, disable, enable and delete accounts, and choose their owners. */
export const mayManageAccounts = (person: Person): boolean => role(person) === 'SuperAdmin';

/** Row actions on users: never on oneself; an Admin not on an Owner or a SuperAdmin (specification, section 6). */
export function mayManageUser(
  person: Person & { user: string },
  other: { id: string; group: { role: string } },
): boolean {
  if (person.user === other.id) return false;
  if (role(person) === 'SuperAdmin' || role(person) === 'Owner') return true;
  return role(person) === 'Admin' && !['Owner', 'SuperAdmin'].includes(other.group.role);
}

/** Groups for an invitation or a move: groups of owners accept neither, and only a SuperAdmin may use the SuperAdmins' one. */
export function mayFill(person: Person, group: { role: string }): boolean {
  return group.role !== 'Owner' && (group.role !== 'SuperAdmin' || role(person) === 'SuperAdmin');
}
