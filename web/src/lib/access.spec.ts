import { describe, expect, it } from '@jest/globals';
import { person } from '../testing/people.ts';
import {
  ALL,
  mayEnrol,
  mayFill,
  mayManageAccounts,
  mayManageUser,
  mayScheduleUpdates,
  maySee,
  mayVisit,
} from './access.ts';
import type { Role, Screen } from './access.ts';

const as = (role: Role, operator = false) => person({ operator, group: { id: 'g', role } as never });
const MINE = person().account;

describe('screens', () => {
  const allowed: Record<Screen, [Role, boolean][]> = {
    accounts: [
      ['SuperAdmin', true],
      ['Admin', true],
    ],
    allUsers: [
      ['SuperAdmin', true],
      ['Admin', true],
    ],
    users: [
      ['SuperAdmin', true],
      ['Admin', true],
      ['Owner', false],
      ['Admin', false],
    ],
    recordings: [
      ['SuperAdmin', true],
      ['Admin', true],
      ['Owner', false],
      ['Admin', false],
    ],
    tokens: [
      ['SuperAdmin', true],
      ['Admin', true],
      ['Owner', false],
      ['Admin', false],
    ],
    groups: [
      ['SuperAdmin', true],
      ['Admin', true],
      ['Owner', false],
      ['Admin', false],
    ],
    signIns: [
      ['SuperAdmin', true],
      ['Admin', true],
      ['Owner', false],
      ['Admin', false],
    ],
    owners: [['SuperAdmin', true]],
    scim: [
      ['SuperAdmin', true],
      ['Owner', false],
    ],
    domains: [
      ['SuperAdmin', true],
      ['Owner', false],
    ],
    jobs: [['SuperAdmin', true]],
    allDevices: [
      ['SuperAdmin', true],
      ['Admin', true],
      ['Member', true],
    ],
    updates: [['SuperAdmin', true]],
    window: [
      ['SuperAdmin', true],
      ['Admin', true],
      ['Owner', false],
      ['Admin', false],
    ],
    usage: [
      ['SuperAdmin', true],
      ['Admin', true],
      ['Owner', false],
      ['Admin', false],
    ],
    audit: [
      ['SuperAdmin', true],
      ['Admin', true],
      ['Owner', false],
      ['Admin', false],
    ],
    access: [
      ['SuperAdmin', true],
      ['Admin', true],
      ['Owner', false],
      ['Admin', false],
    ],
    channels: [
      ['SuperAdmin', true],
      ['Admin', true],
      ['Owner', false],
      ['Admin', false],
    ],
    limits: [
      ['SuperAdmin', true],
      ['Admin', true],
      ['Member', true],
      ['Owner', false],
      ['Admin', false],
    ],
    settings: [],
  };
  const people: [Role, boolean][] = [
    ['SuperAdmin', true],
    ['Admin', true],
    ['Member', true],
    ['Owner', false],
    ['Admin', false],
    ['Member', false],
  ];
  it.each(Object.keys(allowed) as Screen[])('%s is open only to the people of the table', (screen) => {
    const open = people.filter(([role, operator]) => maySee(as(role, operator), screen));
    expect(open).toEqual(expect.arrayContaining(allowed[screen]));
    expect(open).toHaveLength(allowed[screen].length);
  });

  it('jobs follows grants to manage devices, too', () => {
    expect(maySee(person({ granted: ['view', 'manage'] }), 'jobs')).toBe(true);
    expect(maySee(person({ granted: ['view', 'terminal'] }), 'jobs')).toBe(false);
  });

  it('settings follows its own switch', () => {
    expect(maySee({ ...as('Member', true), settings: true }, 'settings')).toBe(true);
  });
});

describe('update windows', () => {
  it.each([
    ['SuperAdmin', true, true, true],
    ['Admin', true, true, false],
    ['Owner', false, true, false],
    ['Admin', false, true, false],
    ['Member', false, false, false],
  ] as const)(
    '%s (operator: %s) changes those of the own account: %s, of others: %s',
    (role, operator, own, others) => {
      expect(mayScheduleUpdates(as(role, operator), MINE)).toBe(own);
      expect(mayScheduleUpdates(as(role, operator), 'another')).toBe(others);
    },
  );
});

describe('accounts in the address', () => {
  it('keeps people outside the operator account in their own', () => {
    expect(mayVisit(as('Owner'), MINE)).toBe(true);
    expect(mayVisit(as('Owner'), 'other')).toBe(false);
    expect(mayVisit(as('Owner'), ALL)).toBe(false);
    expect(mayVisit(as('Member', true), 'other')).toBe(true);
  });
});

describe('adding devices', () => {
  it('is for a SuperAdmin in a chosen account, and for an Owner in their own', () => {
    expect(mayEnrol(as('SuperAdmin', true), 'other')).toBe(true);
    expect(mayEnrol(as('SuperAdmin', true), ALL)).toBe(false);
    expect(mayEnrol(as('Owner'), MINE)).toBe(true);
    expect(mayEnrol(as('Owner'), 'other')).toBe(false);
    expect(mayEnrol(as('Admin'), MINE)).toBe(false);
    expect(mayEnrol(as('Member', true), MINE)).toBe(false);
  });
});

describe('changing accounts and users', () => {
  const other = (role: Role, id = 'other') => ({ id, group: { role } });
  const changes = (role: Role) =>
    (['SuperAdmin', 'Owner', 'Admin', 'Member'] as const).filter((whom) => mayManageUser(as(role), other(whom)));

  it('accounts are for SuperAdmins only', () => {
    expect(mayManageAccounts(as('SuperAdmin', true))).toBe(true);
    expect(mayManageAccounts(as('Admin', true))).toBe(false);
  });

  it('users are for people with a sufficient role', () => {
    expect(changes('SuperAdmin')).toEqual(['SuperAdmin', 'Owner', 'Admin', 'Member']);
    expect(changes('Owner')).toEqual(['SuperAdmin', 'Owner', 'Admin', 'Member']);
    expect(changes('Admin')).toEqual(['Admin', 'Member']);
    expect(changes('Member')).toEqual([]);
  });

  it('are invited and moved by anybody but into the owners’ groups, and by SuperAdmins alone into their own', () => {
    const into = (role: Role) =>
      (['SuperAdmin', 'Owner', 'Admin', 'Member'] as const).filter((group) => mayFill(as(role, true), { role: group }));
    expect(into('SuperAdmin')).toEqual(['SuperAdmin', 'Admin', 'Member']);
    expect(into('Owner')).toEqual(['Admin', 'Member']);
    expect(into('Admin')).toEqual(['Admin', 'Member']);
  });

  it('people do not change themselves', () => {
    expect(mayManageUser(as('SuperAdmin', true), other('Member', person().user))).toBe(false);
  });
});
