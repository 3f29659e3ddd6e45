/** A request of the console for a list. */
export interface ListRequest {
  name: string;
  path: string;
  /** Limit of the 95th percentile, in milliseconds. */
  most: number;
}

const MOST_MS = 50;
const MOST_FILTERED_MS = 30;

/** Ids of the data set (services/platform/src/scale): its first account is the large one. */
const LARGE = '01990000-0000-7000-8001-000000000001';
const SMALL = '01990000-0000-7000-8001-0000000001f4';
const DEVICE = '01990000-0000-7000-8004-000000000007';
/** Members of the large account. */
const GROUP = '01990000-0000-7000-8002-000000000007';

/** Ten filters of three terms: labels, facts, age, negation, with many and few matches. */
const FILTERS = [
  'site=north ring=canary model~"Pi 5"',
  'site=north and -ring=canary and os~trixie',
  'rack=r42 status=disconnected cpu>50',
  'label:rack agent<0.2.0 disk>90',
  'status=disconnected os~bookworm name~kiosk',
  'cpu>90 memory>90 temperature>70',
  'last_seen>30d -label:rack disk<10',
  'model~zero or model~nuc or os~ubuntu',
  'agent>=0.2.0-rc.1 last_seen<2d site!=lab',
  'address~10.1.37 or serial~abc or name~"hall 42"',
];

const list = (name: string, path: string): ListRequest => ({ name, path: `/api/${path}`, most: MOST_MS });

const filtered = (name: string, rest: string, filter: string): ListRequest => ({
  ...list(name, `devices?${rest}&filter=${encodeURIComponent(filter)}`),
  most: MOST_FILTERED_MS,
});

/** Every list with every sort, its first and last page, and searches with many and few matches. */
export const requests: readonly ListRequest[] = [
  list('accounts', 'accounts'),
  list('accounts, last page', 'accounts?page=21'),
  list('accounts, search', 'accounts?search=farm'),
  list('accounts, narrow search', 'accounts?search=613'),
  list('groups', 'groups'),
  list('groups, last page', 'groups?page=80'),
  list('groups, search', 'groups?search=own'),
  list('groups of an account', `groups?account=${SMALL}`),
  list('groups to choose', `get_groups/${SMALL}`),
  list('users', 'users?limit=20'),
  list('users, last page', 'users?page=2500&limit=20'),
  list('users, search', 'users?limit=20&search=nova'),
  list('users, narrow search', 'users?limit=20&search=.4217@'),
  list('users of a large account', `users?limit=20&account=${LARGE}`),
  list('users of a large account, search', `users?limit=20&account=${LARGE}&search=nova`),
  list('users of a group', `users?limit=20&account=${LARGE}&group=${GROUP}`),
  list('users of a small account', `users?limit=20&account=${SMALL}`),
  list('devices by status', 'devices?sort=status'),
  list('devices by status, down', 'devices?sort=status&order=desc'),
  list('devices by name', 'devices?sort=name'),
  list('devices by name, down', 'devices?sort=name&order=desc'),
  list('devices by account', 'devices?sort=account'),
  list('devices by account, down', 'devices?sort=account&order=desc'),
  list('devices, last page', 'devices?sort=name&page=2000'),
  list('devices, search', 'devices?sort=name&search=kiosk'),
  list('devices by status, search', 'devices?sort=status&search=hall 42'),
  list('devices, narrow search', 'devices?sort=name&search=10.1.37.4'),
  list('devices of a large account', `devices?sort=status&account=${LARGE}`),
  list('devices of a large account, search', `devices?sort=name&account=${LARGE}&search=kiosk`),
  list('devices of a small account', `devices?sort=name&account=${SMALL}`),
  ...['last_seen', 'model', 'cpu'].map((sort) => list(`devices by ${sort}`, `devices?sort=${sort}`)),
  list('devices by a label of all', 'devices?sort=label:site'),
  list('devices by a label of all, down', 'devices?sort=label:ring&order=desc'),
  list('devices by a label of few', 'devices?sort=label:rack'),
  list('devices by a label of few, last page', 'devices?sort=label:rack&page=2000'),
  filtered('devices by a label, filter', 'sort=label:rack', 'os~trixie'),
  list('devices by a label, large account', `devices?sort=label:site&account=${LARGE}`),
  list('a device', `devices/${DEVICE}`),
  list('a device: presence', `devices/${DEVICE}/presence?hours=24`),
  ...FILTERS.map((filter) => filtered(filter, 'sort=name', filter)),
  ...FILTERS.slice(0, 3).map((filter) =>
    filtered(`${filter}, in a large account`, `sort=status&account=${LARGE}`, filter),
  ),
];
