import { create } from '@bufbuild/protobuf';
import { POLICY, isAction, isWithinToken, may, type Action } from '@warren/platform/policy/policy';
import { ApiTokenSchema, Role, UserCallerSchema, type UserCaller } from '@warren/proto/common/v1/common';

/** Who each person of the tables is for the policy. */
const ROLES = {
  superAdmin: { role: Role.SUPER_ADMIN, operator: true },
  operatorAdmin: { role: Role.ADMIN, operator: true },
  operatorMember: { role: Role.MEMBER, operator: true },
  owner: { role: Role.OWNER, operator: false },
  admin: { role: Role.ADMIN, operator: false },
  member: { role: Role.MEMBER, operator: false },
} as const;
export type Person = keyof typeof ROLES;
export const PEOPLE = Object.keys(ROLES) as readonly Person[];

/** An account of the policy's callers, and one that is not theirs. */
export const [OWN, OTHER] = ['01997b5c-0000-7000-8000-000000000001', '01997b5c-0000-7000-8000-000000000002'];

/** The caller that a person of an account is; with `token`, their program. */
export function callerOf(person: Person, token?: { permissions: readonly string[]; filter: string }): UserCaller {
  const caller = create(UserCallerSchema, { userId: 'person', accountId: OWN, ...ROLES[person] });
  if (token) caller.token = create(ApiTokenSchema, { permissions: [...token.permissions], filter: token.filter });
  return caller;
}

/** The permissions that the hub's description names. @throws Error for one that the policy does not have */
export function actionsOf(operation: string, permissions: readonly string[]): Action[] {
  return permissions.map((permission) => {
    if (!isAction(permission)) throw new Error(`${operation}: expected a permission of the policy, not ${permission}`);
    return permission;
  });
}

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
const OF_INSTALLATION = [
  ...['listAccounts', 'createAccount', 'listUsage', 'exportUsage', 'listReleases', 'listRollouts', 'startRollout'],
  ...['setRolloutShare', 'changeRollout', 'listRolloutDevices', 'retryRolloutDevice'],
];

/** What the policy says of a caller and an operation, `own/other` account: `done` is any answer of somebody who may. */
export function expectedOf(caller: UserCaller, person: Person, operation: string, needs: readonly Action[]): string {
  // What a token lacks is refused before anything is looked up.
  if (caller.token && needs.some((action) => !isWithinToken(caller, action))) return '403/403';
  const besides = BESIDES[operation];
  const actions = besides ? [...needs, besides] : needs;
  const isOfAccount = !OF_INSTALLATION.includes(operation);
  const hides = POLICY['accounts.read'][person] === 'own' && isOfAccount;
  const mayIn = (account: string) => actions.every((action) => may(caller, action, account));
  const own = mayIn(OWN);
  const refused = hides ? '404' : '403';
  return `${own ? 'done' : '403'}/${mayIn(OTHER) || (own && !isOfAccount) ? 'done' : refused}`;
}

/** What a table says, in the same words. A status of 404 is an answer of somebody who may, unless the policy says so. */
export function saidOf(status: string, expected: string | undefined): string {
  if (status === '403' || status === '401') return status;
  return status === '404' && expected === '404' ? '404' : 'done';
}
