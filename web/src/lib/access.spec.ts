import { describe, expect, it } from '@jest/globals';
import { person } from '../testing/people.ts';
import { ALL, mayEnrol, maySee, mayVisit } from './access.ts';
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
    groups: [
      ['SuperAdmin', true],
      ['Admin', true],
      ['Owner', false],
      ['Admin', false],
    ],
    allDevices: [
      ['SuperAdmin', true],
      ['Admin', true],
      ['Member', true],
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
  it.each(Object.keys(allowed) as Screen[])('%s is open to those of the table alone', (screen) => {
    const open = people.filter(([role, operator]) => maySee(as(role, operator), screen));
    expect(open).toEqual(expect.arrayContaining(allowed[screen]));
    expect(open).toHaveLength(allowed[screen].length);
  });

  it('settings follows its own switch', () => {
    expect(maySee({ ...as('Member', true), settings: true }, 'settings')).toBe(true);
  });
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
  it('is for a SuperAdmin with one account chosen, and for the Owner at home', () => {
    expect(mayEnrol(as('SuperAdmin', true), 'other')).toBe(true);
    expect(mayEnrol(as('SuperAdmin', true), ALL)).toBe(false);
    expect(mayEnrol(as('Owner'), MINE)).toBe(true);
    expect(mayEnrol(as('Owner'), 'other')).toBe(false);
    expect(mayEnrol(as('Admin'), MINE)).toBe(false);
    expect(mayEnrol(as('Member', true), MINE)).toBe(false);
  });
});
