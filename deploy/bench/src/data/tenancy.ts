import { pick, SCALE, scaleAccountName, scaleAccountOf, scaleId } from './data-set.ts';
import type { Fill } from './fill.ts';

export const FIRST_NAMES = [
  'Ada',
  'Ben',
  'Cleo',
  'Dina',
  'Emil',
  'Fay',
  'Gus',
  'Hana',
  'Ivo',
  'June',
  'Kai',
  'Lena',
  'Milo',
  'Nora',
  'Otto',
  'Pia',
  'Quin',
  'Rosa',
  'Sven',
  'Tara',
];
export const LAST_NAMES = [
  'Abel',
  'Brandt',
  'Costa',
  'Dahl',
  'Eriksen',
  'Falk',
  'Greco',
  'Holm',
  'Ito',
  'Jansen',
  'Koch',
  'Lind',
  'Moreau',
  'Novak',
  'Okafor',
  'Petrov',
  'Quinn',
  'Rossi',
  'Sato',
  'Turner',
  'Ueda',
  'Vogel',
  'Weiss',
];
/** The groups of a new account. */
const groups = [
  { name: 'Account Owners', role: 'Owner' },
  { name: 'Admins', role: 'Admin' },
  { name: 'Developers', role: 'Member' },
  { name: 'Members', role: 'Member' },
];

/** SQL for the id of default group number `place` of account number `n`. */
const groupId = (n: string, place: string) => scaleId('group', `(${n}) * ${groups.length} + (${place})`);
const account = scaleAccountOf('n');
/** Every fiftieth an owner, every tenth an admin, the others members. */
const place = `CASE WHEN n % 50 = 0 THEN 0 WHEN n % 10 = 1 THEN 1 ELSE 2 + (n / 10) % 2 END`;
const [first, last] = [pick(FIRST_NAMES, 'n'), pick(LAST_NAMES, 'n / 20')];
const groupOf = `(n - 1) % ${groups.length}`;
const accountOfGroup = `1 + (n - 1) / ${groups.length}`;

/** The accounts and users that lists are measured with. */
export const tenancyData: readonly Fill[] = [
  {
    table: 'accounts',
    rows: SCALE.accounts,
    columns: 'id, name, status, created',
    values: `${scaleId('account', 'n')}, ${scaleAccountName('n')},
        CASE WHEN n % 20 = 0 THEN 'Inactive' ELSE 'Active' END, now() - n * interval '1 hour'`,
  },
  {
    table: 'groups',
    rows: SCALE.accounts * groups.length,
    columns: 'id, account_id, name, role, is_default',
    values: `${groupId(accountOfGroup, groupOf)}, ${scaleId('account', accountOfGroup)},
        ${pick(
          groups.map(({ name }) => name),
          groupOf,
        )}, ${pick(
          groups.map(({ role }) => role),
          groupOf,
        )}, true`,
  },
  {
    table: 'users',
    rows: SCALE.users,
    columns: 'id, account_id, group_id, email, name, status',
    values: `${scaleId('user', 'n')}, ${scaleId('account', account)}, ${groupId(account, place)},
        lower(${first} || '.' || ${last} || '.' || n || '@scale.example'), ${first} || ' ' || ${last},
        CASE WHEN n % 30 = 0 THEN 'Inactive' ELSE 'Active' END`,
  },
];
