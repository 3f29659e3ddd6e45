import { COLUMNS, expectedByGrants, expectedOfGuest, type Need } from '../../support/matrix/grant.policy.ts';
import { actionsOf, callerOf, expectedOf, PEOPLE, saidOf } from '../../support/matrix/policy.ts';
import { readTable } from '../../support/matrix/table.ts';
import { expect, test, type World } from '../../support/matrix/world.ts';
import { table as grantTable } from './grants.table.ts';
import { guestTable } from './guests.table.ts';
import { table } from './operations.table.ts';

/** What does not follow from role and account alone. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  updateProfile: 'it names nobody else',
  getSparklines: 'devices of others are left out',
  acknowledgeAlerts: 'alerts of others are passed over',
  listBulkJobs: 'it names no account',
  listAccessRequests: 'own requests need no permission, and those of all may be read by those who may see the account',
  listRecordings: 'own sessions need no permission',
  revokeToken: 'its input names a token that is not there',
  retryNotification: 'its input names a notification that is not there',
  getAuditEvent: 'its input names an event that is not there',
};

test('the table says what follows from the policy and from what the hub says of each operation', ({ world }) => {
  const expected: Record<string, string> = {};
  const said: Record<string, string> = {};
  const known = new Set(Object.keys(ELSEWHERE));
  for (const { name, cells } of readTable(table)) {
    // Variants are about whom or what, not about where.
    const { permissions = [] } = name.includes(':') ? {} : world.operation(name);
    if (permissions.length === 0 || known.delete(name)) continue;
    for (const person of PEOPLE) {
      const wanted = expectedOf(callerOf(person), person, name, actionsOf(name, permissions));
      const [own, other] = wanted.split('/');
      expected[`${name}, ${person}`] = wanted;
      said[`${name}, ${person}`] = `${saidOf(cells[person].own, own)}/${saidOf(cells[person].other, other)}`;
    }
  }
  expect(said).toEqual(expected);
  expect(Object.keys(expected).length).toBeGreaterThan(700);
  // Each exception is of an operation.
  expect([...known]).toEqual([]);
});

/** The permission of a grant for each operation that needs more than to read, or whose grant is another than that of the token's permission. */
const BY_GRANT: Readonly<Record<string, Need>> = {
  makeWebAddress: { permission: 'web' },
  getSocketToken: { permission: 'terminal' },
  'getSocketToken:desktop': { permission: 'desktop' },
  'getSocketToken:logs': { permission: 'terminal' },
  getDeviceInfo: { permission: 'view' },
  getRoundTrip: { permission: 'view' },
  listTerminals: { permission: 'terminal' },
  endTerminal: { permission: 'terminal' },
  changeTerminal: { permission: 'terminal' },
  listGuestLinks: { permission: 'view' },
  createGuestLink: { permission: 'terminal' },
  rebootDevice: { permission: 'manage' },
  startBulkJob: { permission: 'manage' },
  'startBulkJob:ids': { permission: 'manage' },
};

/** Whether a permission is needed comes before which devices there are; then a job of a filter finds none, and one of ids says so of each. */
const OF_MANY: Readonly<Record<string, string>> = {
  'startBulkJob, none': '403',
  'startBulkJob, elsewhere': '400',
  'startBulkJob:ids, none': '403',
  'startBulkJob:ids, elsewhere': '201',
  'startBulkJob:ids, other': '201',
  'labelDevices, none': '403',
  'labelDevices, elsewhere': '403',
  'labelDevices, other': '403',
};

/** Operations that take an id, a serial or an address, and have no row in the table of grants. */
const WITHOUT_ROW: Readonly<Record<string, string>> = {
  getSparklines: 'devices out of sight are left out',
  endGuestLink: 'the link is of a person who reaches the device',
  getBulkJob: 'it names a job',
  cancelBulkJob: 'it names a job',
  revokeEnrolmentToken: 'it names a token',
  replaceFilter: 'it names a filter',
  deleteFilter: 'it names a filter',
};

function needOf(world: World, row: string): Need {
  const given = BY_GRANT[row];
  if (given) return given;
  const actions = actionsOf(row, world.operation(row).permissions ?? []).filter((action) => action !== 'devices.read');
  const [action] = actions;
  return action === undefined ? { permission: 'view' } : { action };
}

test('the table of grants says what follows from the policy', ({ world }) => {
  const [head = [], ...rows] = grantTable
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(head.slice(1)).toEqual(COLUMNS);
  const expected: Record<string, string> = {};
  const said: Record<string, string> = {};
  const many = new Set(Object.keys(OF_MANY));
  for (const [row = '', ...cells] of rows) {
    for (const [at, column] of COLUMNS.entries()) {
      const [cell, key] = [cells[at] ?? '', `${row}, ${column}`];
      const isOfMany = many.delete(key);
      expected[key] = isOfMany ? (OF_MANY[key] ?? '') : expectedByGrants(needOf(world, row), column);
      said[key] = isOfMany ? cell : saidOf(cell, expected[key]);
    }
  }
  expect(said).toEqual(expected);
  expect([...many]).toEqual([]);
});

test('each operation on a device has a row in the table of grants', ({ world }) => {
  const ofDevice = world.operations.filter(({ permissions = [], fields }) => {
    const isOfDevices = permissions.length > 0 && permissions.every((one) => one.startsWith('devices.'));
    return isOfDevices && fields.some(({ name }) => ['id', 'ids', 'serial', 'address'].includes(name));
  });
  const without = ofDevice.filter(({ id }) => !grantTable.includes(`\n${id} `)).map(({ id }) => id);
  expect(without.sort()).toEqual(Object.keys(WITHOUT_ROW).sort());
});

/** What guests do with the device of their link. */
const OF_GUESTS = { makeGuestSocketToken: 'terminal', makeGuestWebAddress: 'web' } as const;

test('the table of guests says what follows from the policy', ({ world }) => {
  const nobody = new Map(readTable(table).map(({ name, cells }) => [name, cells.nobody.own]));
  const expected: Record<string, string> = {};
  const said: Record<string, string> = {};
  for (const line of guestTable.trim().split('\n').slice(1)) {
    const [id = '', guest = '', web = guest] = line.split('|').map((cell) => cell.trim());
    for (const [opened, cells] of Object.entries({ terminal: guest, web }) as ['terminal' | 'web', string][]) {
      const key = `${id}, guest of ${opened}`;
      const needed = OF_GUESTS[id as keyof typeof OF_GUESTS];
      // Elsewhere a guest is nobody, in each account; the guest's own session is there.
      const word = id === 'getGuestSession' ? 'done' : needed && expectedOfGuest(opened, needed);
      expected[key] = cells
        .split('/')
        .map(() => word ?? nobody.get(id))
        .join('/');
      said[key] = word ? saidOf(cells, word) : cells;
    }
  }
  expect(said).toEqual(expected);
  expect(world.operations.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(OF_GUESTS)));
});
