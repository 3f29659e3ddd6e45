import { POLICY, isAction, type Action } from '@warren/platform/policy/policy';
import { expect, test } from '../../support/matrix/world.ts';
import { readTable } from '../../support/matrix/table.ts';
import { table } from './operations.table.ts';

const PEOPLE = ['superAdmin', 'operatorAdmin', 'operatorMember', 'owner', 'admin', 'member'] as const;
type Person = (typeof PEOPLE)[number];

/** What an operation needs by what it is called with, besides what it needs of each token. */
const BESIDES: Readonly<Record<string, Action>> = {
  saveFilter: 'devices.label',
  replaceFilter: 'devices.label',
  deleteFilter: 'devices.label',
  generateToken: 'devices.manage',
  startBulkJob: 'devices.manage',
  // Of others.
  endGuestLink: 'grants.manage',
};

/** About the whole installation: no account is named, so none is hidden. */
const OF_INSTALLATION = ['listAccounts', 'createAccount', 'listUsage', 'exportUsage', 'listReleases'];
const OF_ROLLOUTS = [
  'listRollouts',
  'startRollout',
  'setRolloutShare',
  'changeRollout',
  'listRolloutDevices',
  'retryRolloutDevice',
];

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

type Scope = 'all' | 'own' | undefined;

function scopeOf(person: Person, actions: readonly Action[]): Scope {
  const scopes = actions.map((action): Scope => (POLICY[action] as Partial<Record<Person, Scope>>)[person]);
  if (scopes.includes(undefined)) return undefined;
  return scopes.includes('own') ? 'own' : 'all';
}

/** What the policy says: `done` is any answer of somebody who may. */
function expectedOf(person: Person, actions: readonly Action[], isOfAccount: boolean): string {
  const scope = scopeOf(person, actions);
  const hides = POLICY['accounts.read'][person] === 'own' && isOfAccount;
  const refused = hides ? '404' : '403';
  return `${scope ? 'done' : '403'}/${scope === 'all' || (scope && !isOfAccount) ? 'done' : refused}`;
}

/** What the table says, in the same words. A status of 404 is an answer of somebody who may where the policy says so. */
function saidOf({ own, other }: { own: string; other: string }, expected: string): string {
  const [first, second] = expected.split('/');
  const word = (status: string, wanted = '') => {
    if (status === '403' || status === '401') return status;
    return status === '404' && wanted === '404' ? '404' : 'done';
  };
  return `${word(own, first)}/${word(other, second)}`;
}

test('the table says what follows from the policy and from what the hub says of each operation', ({ world }) => {
  const expected: Record<string, string> = {};
  const said: Record<string, string> = {};
  const known = new Set(Object.keys(ELSEWHERE));
  for (const { name, cells } of readTable(table)) {
    // Variants are about whom or what, not about where.
    const { permissions = [] } = name.includes(':') ? {} : world.operation(name);
    if (permissions.length === 0 || known.delete(name)) continue;
    const actions = [...permissions, ...(BESIDES[name] ? [BESIDES[name]] : [])].map((action) => {
      if (!isAction(action)) throw new Error(`${name}: expected a permission of the policy, not ${action}`);
      return action;
    });
    const isOfAccount = ![...OF_INSTALLATION, ...OF_ROLLOUTS].includes(name);
    for (const person of PEOPLE) {
      const wanted = expectedOf(person, actions, isOfAccount);
      expected[`${name}, ${person}`] = wanted;
      said[`${name}, ${person}`] = saidOf(cells[person], wanted);
    }
  }
  expect(said).toEqual(expected);
  expect(Object.keys(expected).length).toBeGreaterThan(600);
  // Each exception is of an operation.
  expect([...known]).toEqual([]);
});
