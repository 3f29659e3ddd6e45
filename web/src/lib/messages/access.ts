import { grantsTitle } from '../grant-access.ts';
import { number } from '../numbers.ts';

const plural = (count: number, one: string, more: string) => `${number(count)} ${count === 1 ? one : more}`;
const devices = (count: number) => `${number(count)} ${count === 1 ? 'device' : 'devices'}`;

/** The texts of grants and of who reaches what; a part of the one catalogue. */
export const access = {
  title: grantsTitle,
  heading: (account: string) => `Access of ${account}`,
  lead: 'A grant lets people do something with the devices that a filter finds. What a grant no longer allows ends within two seconds.',
  failed: 'The access of this account could not be loaded.',
  mode: 'Access mode',
  modes: {
    default: {
      name: 'Every member opens every device',
      about: 'Members see and open all devices of the account. Grants add to that.',
    },
    explicit: {
      name: 'Explicit grants only',
      about: 'Members reach what grants allow, and nothing else. Owners and admins keep what their role gives.',
    },
  },
  operator: 'People of the operator’s account keep what their role gives.',
  toExplicit: 'Use explicit grants only',
  toDefault: 'Open every device to every member',
  explicitConfirm: 'Switch to explicit grants',
  defaultConfirm: 'Open every device',
  defaultLead: 'Every member of the account will see and open every device again. Grants stay.',
  switchFailed: 'The access mode could not be switched.',
  switched: 'access mode successfully changed',
  switchedDetail: 'It holds from now on.',
  previewLead:
    'What each member will lose. Terminals, desktops and web services that are no longer allowed end at once.',
  previewFailed: 'What members would lose could not be found out.',
  losses: {
    failed: 'More members could not be loaded.',
    nobody: 'The account has no members, so nobody loses anything.',
    summary: (
      { members, all, service_accounts: programs }: { members: number; all: number; service_accounts: number },
      allPrograms: number,
    ) => {
      if (members + programs === 0) return 'Nobody loses access.';
      const people = all === 0 ? '' : `${number(members)} of ${number(all)} members`;
      const accounts = allPrograms === 0 ? '' : `${number(programs)} of ${number(allPrograms)} service accounts`;
      return `${[people, accounts].filter((part) => part !== '').join(' and ')} lose access.`;
    },
    byPermission: (by: Record<'view' | 'terminal' | 'desktop' | 'web' | 'manage', number>) =>
      `By permission: ${Object.entries(by)
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${name} ${number(count)}`)
        .join(', ')}.`,
    first: (may: string, count: number, total: number) => `${may} on ${number(count)} of ${devices(total)}`,
    further: (may: string, count: number) => `${may} on ${number(count)}`,
    loses: (parts: string[]) => `Loses ${parts.join('; ')}`,
    nothing: 'Loses nothing',
    views: (count: number, total: number) => `Still views ${number(count)} of ${devices(total)}`,
    more: (shown: number, total: number) => `Show more (${number(shown)} of ${number(total)})`,
    programs: 'Service accounts',
  },
  members: 'Members',
  grants: 'Grants',
  create: 'New grant',
  createConfirm: 'Create grant',
  created: 'grant successfully created',
  createFailed: 'The grant could not be created.',
  edit: 'Edit grant',
  editAction: 'Edit',
  editConfirm: 'Save grant',
  edited: 'grant successfully changed',
  editFailed: 'The grant could not be changed.',
  changedDetail: (who: string) => `It holds for ${who} from now on.`,
  remove: 'Withdraw grant',
  removeLead: (who: string, filter: string) =>
    `${who} will lose what this grant allows on ${filter}. What is open by it alone ends at once.`,
  removed: 'grant successfully withdrawn',
  removedDetail: 'What it allowed has ended.',
  none: 'No grants',
  noneText: 'Create a grant to let a person or a group reach some devices, with or without an end date.',
  allDevices: 'All devices',
  everyone: 'Everyone in the account',
  columns: {
    who: 'Who',
    permissions: 'May',
    devices: 'Devices',
    expires: 'Expires',
    source: 'Source',
    actions: 'Actions',
  },
  never: 'Never',
  sources: { administrator: 'Administrator', request: 'Access request' },
  approvedBy: (by: string) => `Approved by ${by}`,
  actionsOf: (who: string) => `the grant of ${who}`,
  permissions: {
    view: 'View',
    terminal: 'Terminal and logs',
    desktop: 'Desktop',
    web: 'Web service',
    manage: 'Reboot and update',
  },
  short: { view: 'view', terminal: 'terminal', desktop: 'desktop', web: 'web', manage: 'manage' },
  subject: 'Who',
  subjects: {
    everyone: 'Everyone in the account',
    group: 'A group',
    user: 'A person',
    service_account: 'A service account',
  },
  group: 'Group',
  user: 'Person',
  serviceAccount: 'Service account',
  program: (name: string) => `${name} (service account)`,
  pick: 'Choose one.',
  noMatch: 'Nothing found',
  may: 'May',
  mayHelp: 'To view the device is part of each.',
  devices: 'Devices',
  devicesHelp:
    'By labels, name, model or other lasting facts, or by a shared view, such as in:north. If empty, all devices of the account.',
  wrongFilter: 'Correct the filter.',
  counting: 'Counting …',
  finds: (count: number) => `The filter finds ${devices(count)} now.`,
  countFailed: 'The devices could not be counted.',
  labelsWiden: 'People who may set labels decide which devices a filter by labels finds.',
  expires: 'Expires',
  expiries: {
    never: 'Never',
    '1h': 'In 1 hour',
    '8h': 'In 8 hours',
    '1d': 'In 1 day',
    '7d': 'In 7 days',
    at: 'At a time',
  },
  at: 'Expires at',
  atWrong: 'Enter a time in the future.',
  note: 'Note',
  noteHelp: 'Why, for those who look at it later. Optional.',
  reach: {
    title: 'Who can reach this device',
    failed: 'Who can reach this device could not be loaded.',
    lead: 'People and service accounts of its account, and the operators of this hub by role.',
    operators: (role: string, users: number, programs: number) => {
      const people = users === 0 ? '' : plural(users, 'person', 'people');
      const accounts = programs === 0 ? '' : plural(programs, 'service account', 'service accounts');
      return `Operators with the role ${role}: ${[people, accounts].filter((part) => part !== '').join(', ')}`;
    },
    guestLinks: (count: number) => `${plural(count, 'guest link is', 'guest links are')} valid.`,
    guests: (names: string[]) => `Guests: ${names.join(', ')}.`,
    guestsFailed: 'The guest links could not be loaded.',
    seeGuestLinks: 'See Guest links',
    none: 'No access',
    byRole: (role: string) => `Allowed by role ${role}`,
    byGrant: (grant: string) => `Allowed by grant: ${grant}`,
    byRequest: (grant: string) => `Allowed by an approved access request: ${grant}`,
    byOperator: (role: string) => `Allowed by role ${role} of the operator`,
    until: (time: string) => `until ${time}`,
    columns: { person: 'Person', may: 'May', why: 'Why' },
    show: 'Show who can reach this device',
  },
  own: {
    label: 'Your access',
    byRole: (role: string) => `by role ${role}`,
    byGrant: 'by a grant',
  },
  person: {
    title: 'What this person can reach',
    failed: 'What this person can reach could not be loaded.',
    restricted: (count: number, total: number) => `${number(count)} of ${devices(total)}, by grants.`,
    byRole: (role: string, total: number) => `All ${devices(total)} of the account, by role ${role}.`,
    noGrants: 'No grant names this person, their group or everyone.',
    columns: { grant: 'Grant of', devices: 'Devices' },
    finds: (count: number) => devices(count),
  },
};
