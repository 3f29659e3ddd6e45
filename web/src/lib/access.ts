/**
 * What the console shows to whom (specification, sections 5 and 6). The hub authorises each call; this only hides what it would refuse.
 */
export type Role = 'SuperAdmin' | 'Owner' | 'Admin' | 'Member';

/** The fields of the session that access depends on. */
export interface Person {
  account: string;
  operator: boolean;
  settings: boolean;
  group: { role: string } | null;
  /** What grants allow on some devices; absent from a hub of 0.1. */
  granted?: readonly string[];
}

export const ALL = 'ALL';

const role = (person: Person) => person.group?.role;

const isDirector = (person: Person) => role(person) === 'SuperAdmin' || (role(person) === 'Admin' && person.operator);

const isManager = (person: Person) => ['SuperAdmin', 'Owner', 'Admin'].includes(role(person) ?? '');

/** Whether a grant to manage devices, which is to reboot and update them, names the person. */
export const mayManageSome = ({ granted }: Person): boolean => granted?.includes('manage') ?? false;

/** Restricted screens; all others are open to every signed-in active user. */
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
  | 'channels'
  | 'audit'
  | 'recordings'
  | 'tokens'
  | 'scim'
  | 'domains'
  | 'signIns'
  | 'access'
  | 'settings';

const screens: Record<Screen, (person: Person) => boolean> = {
  accounts: isDirector,
  allUsers: isDirector,
  users: isManager,
  groups: isManager,
  owners: (person) => role(person) === 'SuperAdmin',
  allDevices: (person) => person.operator,
  updates: (person) => role(person) === 'SuperAdmin',
  jobs: (person) => role(person) === 'SuperAdmin' || mayManageSome(person),
  window: isManager,
  limits: (person) => isManager(person) || person.operator,
  usage: isManager,
  channels: isManager,
  audit: isManager,
  recordings: isManager,
  tokens: isManager,
  scim: (person) => ['SuperAdmin', 'Owner'].includes(role(person) ?? ''),
  domains: (person) => screens.scim(person),
  signIns: isManager,
  access: isManager,
  settings: (person) => person.settings,
};

export const maySee = (person: Person, screen: Screen): boolean => screens[screen](person);

/** Returns whether a person may see the route's account: outside the operator account only their own. Undefined: the route has none. */
export function mayVisit(person: Person, account: string | undefined): boolean {
  return account === undefined || role(person) === 'SuperAdmin' || person.operator || account === person.account;
}

/** Whether a person may install agents: a SuperAdmin in a chosen account, and an Owner in their own. */
export function mayEnrol(person: Person, account: string): boolean {
  if (account === ALL) return false;
  return role(person) === 'SuperAdmin' || (role(person) === 'Owner' && account === person.account);
}

/** Whether a person may set the update window of an account: its owner and admins, and SuperAdmins. */
export const mayScheduleUpdates = (person: Person, account: string): boolean =>
  role(person) === 'SuperAdmin' || (isManager(person) && account === person.account);

/** Whether a person may see the usage of an account: its owner and admins, and those who see all accounts. */
export const mayReadUsage = (person: Person, account: string): boolean =>
  isDirector(person) || (isManager(person) && account === person.account);

/** Whether a person may read the audit trail of an account: its owner and admins, and those who see all accounts. */
export const mayReadAudit = (person: Person, account: string): boolean =>
  isDirector(person) || (screens.audit(person) && account === person.account);

/** Whether a person may see the usage of all accounts, for billing. */
export const mayExportUsage = isDirector;

/** Whether a person may create, disable, enable and delete accounts, and choose their owners. */
export const mayManageAccounts = (person: Person): boolean => role(person) === 'SuperAdmin';

/** Whether a person may change a user: never themselves; an Admin no Owner or SuperAdmin (specification, section 6). */
export function mayManageUser(
  person: Person & { user: string },
  other: { id: string; group: { role: string } },
): boolean {
  if (person.user === other.id) return false;
  if (role(person) === 'SuperAdmin' || role(person) === 'Owner') return true;
  return role(person) === 'Admin' && !['Owner', 'SuperAdmin'].includes(other.group.role);
}

/** Whether a group is offered for invitations and moves: never one of owners, and the SuperAdmins' one only to SuperAdmins. */
export function mayFill(person: Person, group: { role: string }): boolean {
  return group.role !== 'Owner' && (group.role !== 'SuperAdmin' || role(person) === 'SuperAdmin');
}
