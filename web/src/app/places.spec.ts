import { expect, it } from '@jest/globals';
import { ACCOUNT, person } from '../testing/people.ts';
import { places } from './places.ts';

const names = (...given: Parameters<typeof places>) => places(...given).map(({ name }) => name);
const superAdmin = () => person({ operator: true, settings: true, group: { id: 'g', role: 'SuperAdmin' } as never });

it('offers a SuperAdmin every screen, for the account that is looked at', () => {
  expect(names(superAdmin(), 'ALL')).toEqual([
    ...['home', 'accounts', 'devices', 'alerts', 'users', 'groups', 'updates', 'audit', 'sessions', 'settings'],
  ]);
  expect(places(superAdmin(), 'a1').map(({ to }) => to)).toEqual([
    ...[
      '/',
      '/accounts',
      '/devices/a1',
      '/alerts?account=a1',
      '/users/a1',
      '/groups/a1',
      '/updates',
      '/audit?account=a1',
      '/sessions?account=a1',
      '/settings',
    ],
  ]);
});

it('offers a Member the devices and alerts of the own account alone', () => {
  expect(places(person(), 'ALL').map(({ to }) => to)).toEqual(['/', `/devices/${ACCOUNT}`, '/alerts']);
});

it('offers an Owner users and groups too, whatever was chosen before', () => {
  const owner = person({ group: { id: 'g', role: 'Owner' } as never });
  expect(names(owner, 'a1')).toEqual(['home', 'devices', 'alerts', 'users', 'groups', 'audit', 'sessions']);
});

it('offers an operator’s Owner the users of their account only', () => {
  const owner = person({ operator: true, group: { id: 'g', role: 'Owner' } as never });
  const users = (client: string) => places(owner, client).find(({ name }) => name === 'users')?.to;
  expect([users('ALL'), users('a1')]).toEqual([`/users/${ACCOUNT}`, '/users/a1']);
});
