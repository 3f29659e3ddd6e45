import { permissionsOf, serviceAccountPermissions } from '@warren/platform/policy/policy';
import { FILTERED_PERMISSIONS, NOT_FOR_TOKENS, withImplied } from '@warren/rules/tokens';
import { actionsOf, callerOf, expectedOf, saidOf, type Person } from '../../support/matrix/policy.ts';
import { readTable } from '../../support/matrix/table.ts';
import { expect, test, type World } from '../../support/matrix/world.ts';
import { table as operationTable } from './operations.table.ts';
import { table as accountTable } from './token-accounts.table.ts';
import { table, tokens, type TokenName } from './tokens.table.ts';

/** What a token of a table is, and which of the two accounts its cells are about. */
interface Kind {
  person: Person;
  permissions: readonly string[];
  filter: string;
  accounts: readonly ('own' | 'other')[];
}

const usable = (permissions: readonly string[]) => permissions.filter((one) => !NOT_FOR_TOKENS.includes(one));

function kindOf(name: TokenName): Kind {
  const { who, permissions, filter } = tokens[name];
  const all = usable(permissionsOf(callerOf(who)));
  const account = who === 'superAdmin' ? 'other' : 'own';
  return { person: who, permissions: permissions ? withImplied(permissions) : all, filter, accounts: [account] };
}

const BOTH = ['own', 'other'] as const;
const ACCOUNT_KINDS: Readonly<Record<string, Kind>> = {
  owner: { person: 'owner', permissions: usable(permissionsOf(callerOf('owner'))), filter: '', accounts: BOTH },
  service: { person: 'admin', permissions: serviceAccountPermissions(callerOf('admin')), filter: '', accounts: BOTH },
};

/** What does not follow from the policy and from what the hub says that a token needs. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  lookUpGuestLink: 'it is for pages of the hub',
  redeemGuestLink: 'it is for pages of the hub',
  makeGuestSocketToken: 'it is for pages of the hub',
  makeGuestWebAddress: 'it is for pages of the hub',
  listAccessRequests: 'those of all may be read by those who may see the account',
  getSparklines: 'devices of others are left out',
  acknowledgeAlerts: 'alerts of others are passed over',
  updateProfile: 'it names nobody else',
  listBulkJobs: 'it names no account',
  cancelBulkJob: 'it needs the permission of the action of its job',
  revokeToken: 'its input names a token that is not there',
  retryNotification: 'its input names a notification that is not there',
  getAuditEvent: 'its input names an event that is not there',
};

const nobody = new Map(readTable(operationTable).map(({ name, cells }) => [name, cells.nobody.own]));

/** What the policy says of a token and an operation, `own/other` account; undefined where it says nothing. */
function wantedOf(world: World, id: string, { person, permissions, filter }: Kind): string | undefined {
  const { isPublic, permissions: needs } = world.operation(id);
  // Without a session, it looks at no token either.
  if (isPublic) return `${nobody.get(id)}/${nobody.get(id)}`;
  if (!needs) return '403/403';
  // Everybody with a session may, or it depends on the device.
  if (needs.length === 0 || (filter && needs.every((one) => FILTERED_PERMISSIONS.includes(one)))) return undefined;
  return expectedOf(callerOf(person, { permissions, filter }), person, id, actionsOf(id, needs));
}

/** Holds each cell of a table against the policy. @returns how many followed */
function hold(world: World, text: string, kinds: Readonly<Record<string, Kind>>): number {
  const [head = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(head.slice(1)).toEqual(Object.keys(kinds));
  const expected: Record<string, string> = {};
  const said: Record<string, string> = {};
  const known = new Set(Object.keys(ELSEWHERE));
  for (const [id = '', ...cells] of rows) {
    if (known.delete(id)) continue;
    for (const [at, [name, kind]] of Object.entries(kinds).entries()) {
      const [own = '', other = own] = (cells[at] ?? '').split('/');
      const wanted = wantedOf(world, id, kind)?.split('/');
      if (!wanted) continue;
      for (const account of kind.accounts) {
        const [want = '', cell] = account === 'own' ? [wanted[0], own] : [wanted[1], other];
        expected[`${id}, ${name}, ${account}`] = want;
        said[`${id}, ${name}, ${account}`] = world.operation(id).isPublic ? cell : saidOf(cell, want);
      }
    }
  }
  expect(said).toEqual(expected);
  // Each exception is of an operation.
  expect([...known]).toEqual([]);
  return Object.keys(expected).length;
}

test('the table of tokens says what follows from the policy', ({ world }) => {
  const names = Object.keys(tokens) as TokenName[];
  const kinds = Object.fromEntries(names.map((name) => [name, kindOf(name)]));
  expect(hold(world, table, kinds)).toBeGreaterThan(600);
});

test('the table of tokens in two accounts says what follows from the policy', ({ world }) => {
  expect(hold(world, accountTable, ACCOUNT_KINDS)).toBeGreaterThan(600);
});
