import { Role, type UserCaller } from '@warren/proto/common/v1/common';
import { FILTERED_PERMISSIONS } from '@warren/rules/tokens';
import { Fault } from '../errors/fault.ts';
import { requireUser, type Caller } from '../rpc/caller.ts';
import { subjectOfUser, type Subject } from './subject.ts';

/** Where a permission holds: in every account, or in the user's own. */
type Scope = 'all' | 'own';
type Rule = Partial<Record<Subject, Scope>>;

const OPERATORS = { superAdmin: 'all', operatorOwner: 'all', operatorAdmin: 'all', operatorMember: 'all' } as const;
const EVERYBODY: Rule = { ...OPERATORS, owner: 'own', admin: 'own', member: 'own' };
const MANAGERS: Rule = { superAdmin: 'all', operatorOwner: 'all', operatorAdmin: 'all', owner: 'own', admin: 'own' };
const OWN_OF_EVERYBODY: Rule = {
  superAdmin: 'own',
  operatorOwner: 'own',
  operatorAdmin: 'own',
  operatorMember: 'own',
  owner: 'own',
  admin: 'own',
  member: 'own',
};
const SUPER_ADMIN: Rule = { superAdmin: 'all' };

/**
 * The one table of who may do what, and where: spec section 6 as settled by the decisions. What it does not name is denied.
 */
export const POLICY = {
  /** The accounts directory and the users directory of all accounts. */
  'accounts.list': { superAdmin: 'all', operatorAdmin: 'all' },
  /** Choosing an account to look at. */
  'accounts.select': { ...OPERATORS },
  'accounts.read': EVERYBODY,
  /** Making, disabling, enabling and deleting accounts, and choosing their owners. */
  'accounts.manage': SUPER_ADMIN,
  /** The limits of an account, and how much of them is used. */
  'quotas.read': { ...OPERATORS, owner: 'own', admin: 'own' },
  'quotas.manage': SUPER_ADMIN,
  'users.list-all': { superAdmin: 'all', operatorAdmin: 'all' },
  'users.list': MANAGERS,
  /** Disables, enables, moves and deletes other users; an Admin may change no user in a wider role. */
  'users.manage': MANAGERS,
  /** Unbinding others from the identity of their sign-in; the same bound as for `users.manage`. */
  'users.reset-sign-in': MANAGERS,
  /** The last refused sign-ins, and trials of providers. */
  'sign-ins.diagnose': { superAdmin: 'all', operatorOwner: 'own', operatorAdmin: 'all', owner: 'own', admin: 'own' },
  'invitations.list': MANAGERS,
  'invitations.manage': MANAGERS,
  'groups.list': MANAGERS,
  'groups.manage': MANAGERS,
  /** What an account has used, for its bill. */
  'usage.read': { superAdmin: 'all', operatorOwner: 'own', operatorAdmin: 'all', owner: 'own', admin: 'own' },
  /** What every account has used. */
  'usage.list-all': { superAdmin: 'all', operatorAdmin: 'all' },
  /** The audit trail: who did what. */
  'audit.read': { superAdmin: 'all', operatorOwner: 'own', operatorAdmin: 'all', owner: 'own', admin: 'own' },
  /** How long the audit events of an account are kept, and where they are streamed to. */
  'audit.manage': { superAdmin: 'all', operatorOwner: 'own', owner: 'own' },
  /** Recordings of sessions: the list, the player and searches. One's own entries need no permission. */
  'recordings.view': { superAdmin: 'all', operatorOwner: 'own', operatorAdmin: 'own', owner: 'own', admin: 'own' },
  'recordings.export': { superAdmin: 'all', operatorOwner: 'own', operatorAdmin: 'own', owner: 'own', admin: 'own' },
  /** What is recorded and for how long, holding and deleting recordings. */
  'recordings.manage': { superAdmin: 'all', operatorOwner: 'own', owner: 'own' },
  /** Observing terminals without their owners' consent, where the account allows it. Nobody observes those of another account. */
  'terminals.observe': { superAdmin: 'own', operatorOwner: 'own', operatorAdmin: 'own', owner: 'own', admin: 'own' },
  'devices.list-all': { ...OPERATORS },
  'devices.read': EVERYBODY,
  'devices.open': EVERYBODY,
  'devices.manage': SUPER_ADMIN,
  /** Setting labels and notes. Filters select by labels, so a label may widen what a filter leads to. */
  'devices.label': { superAdmin: 'all', operatorOwner: 'own', operatorAdmin: 'own', owner: 'own', admin: 'own' },
  /** Taking over open alerts, so that others need not. */
  'alerts.acknowledge': { superAdmin: 'all', operatorOwner: 'own', operatorAdmin: 'own', owner: 'own', admin: 'own' },
  /** Changing the rules of alerts, and silencing them. */
  'alerts.manage': { superAdmin: 'all', operatorOwner: 'own', operatorAdmin: 'own', owner: 'own', admin: 'own' },
  /** Offering versions of the agent to the fleet. */
  'updates.manage': SUPER_ADMIN,
  /** Choosing when the devices of an account may be updated. */
  'updates.schedule': { superAdmin: 'all', operatorOwner: 'own', operatorAdmin: 'own', owner: 'own', admin: 'own' },
  /** Where notifications of alerts go, and what became of them. */
  'channels.manage': { superAdmin: 'all', operatorOwner: 'own', operatorAdmin: 'own', owner: 'own', admin: 'own' },
  /** The grants of an account and its access mode, who reaches a device, and what a user reaches. */
  'grants.read': MANAGERS,
  'grants.manage': { superAdmin: 'all', operatorOwner: 'own', operatorAdmin: 'own', owner: 'own', admin: 'own' },
  /** Asking for access to devices, where the account allows it, and withdrawing that. */
  'requests.create': OWN_OF_EVERYBODY,
  /** Deciding about the requests of others: of the people whom the account's rules name. */
  'requests.decide': OWN_OF_EVERYBODY,
  /** Service accounts, which programs act as. Making their tokens is part of managing them. */
  'service-accounts.read': MANAGERS,
  'service-accounts.manage': {
    superAdmin: 'all',
    operatorOwner: 'own',
    operatorAdmin: 'own',
    owner: 'own',
    admin: 'own',
  },
  'devices.enrol': { superAdmin: 'all', owner: 'own', operatorOwner: 'own' },
  /** One's own name and picture. */
  'profile.manage': OWN_OF_EVERYBODY,
  /** Listing and revoking the API tokens of others. One's own need no permission. */
  'tokens.manage': MANAGERS,
  /** The SCIM tokens of an account, with which its identity provider changes users and groups. */
  'scim.manage': { superAdmin: 'all', owner: 'own' },
  /** The rules by which groups of identity providers map to groups of an account. */
  'group-rules.manage': { superAdmin: 'all', owner: 'own' },
  /** The e-mail domains of an account. */
  'domains.manage': { superAdmin: 'all', owner: 'own' },
  /** Verifying a domain without its TXT record. */
  'domains.confirm': { superAdmin: 'all' },
} satisfies Record<string, Rule>;

export type Action = keyof typeof POLICY;

export const ACTIONS = Object.keys(POLICY) as readonly Action[];

export function isAction(text: string): text is Action {
  return Object.hasOwn(POLICY, text);
}

/** What narrows a user: an API token, or the link of a guest. */
type Narrowed = Pick<UserCaller, 'token' | 'guest'>;
/** What decides about a user beside the access mode of the account: the role, and what narrows it. */
type Person = Pick<UserCaller, 'role' | 'operator'> & Narrowed;

/** What is a person's own, and what makes subjects or tokens: no token of a service account does it. */
const OF_PEOPLE: ReadonlySet<string> = new Set([
  'terminals.observe',
  'profile.manage',
  'requests.create',
  'requests.decide',
  'service-accounts.manage',
  'tokens.manage',
]);

/** The permissions that a token of a service account can have. */
export function serviceAccountPermissions(role: Pick<UserCaller, 'role' | 'operator'>): Action[] {
  return permissionsOf(role).filter((action) => !OF_PEOPLE.has(action));
}

/** Whether a user may do all that a role may do, and everywhere where that role may. */
export function coversRole(user: UserCaller, role: Pick<UserCaller, 'role' | 'operator'>): boolean {
  return ACTIONS.every((action) => coversAction(user, role, action));
}

/** Whether a user may do something everywhere where a role may. */
export function coversAction(user: UserCaller, role: Pick<UserCaller, 'role' | 'operator'>, action: Action): boolean {
  const theirs = scopeOfRole(role, action);
  const own = scopeOfRole(user, action);
  return theirs === undefined || own === 'all' || own === theirs;
}

/** What explicit grants take from the role Member: `device.access.ts` decides about it instead. */
const RESTRICTED: ReadonlySet<Action> = new Set<Action>(['devices.read', 'devices.open']);

/** Whether the account of a user gives its role no device, so that only grants do. */
export function isRestricted({
  role,
  operator,
  explicitGrants,
}: Pick<UserCaller, 'role' | 'operator' | 'explicitGrants'>): boolean {
  return explicitGrants && role === Role.MEMBER && !operator;
}

function scopeOfRole(user: Person, action: Action): Scope | undefined {
  const subject = subjectOfUser(user);
  return subject && (POLICY[action] as Rule)[subject];
}

/** What a token that is limited to some devices may do at most: every other action is about more than a device. */
const DEVICE_ACTIONS = FILTERED_PERMISSIONS as readonly Action[];

/**
 * Whether the user's API token, if there is one, has a permission. It narrows role and grants, and adds nothing to them. A guest has the
 * token of their link; one without it may do nothing.
 */
export function isWithinToken({ token, guest }: Narrowed, action: Action): boolean {
  if (!token) return guest === undefined;
  if (guest && !DEVICE_ACTIONS.includes(action)) return false;
  return token.permissions.includes(action) && (token.filter === '' || DEVICE_ACTIONS.includes(action));
}

/**
 * Requires that the user's API token has a permission, where the role alone does not decide: for things of one's own.
 * @throws Fault `permission_denied`
 */
export function requireOfToken(user: UserCaller, action: Action): void {
  if (!isWithinToken(user, action)) throw notAllowed(user, action);
}

function scopeOf(user: UserCaller, action: Action): Scope | undefined {
  if (!isWithinToken(user, action) || (RESTRICTED.has(action) && isRestricted(user))) return undefined;
  const scope = scopeOfRole(user, action);
  // A guest of an operator user stays in the account of the link.
  return user.guest && scope === 'all' ? 'own' : scope;
}

/** Whether a user may do something in an account; without an account, in all of them. */
export function may(user: UserCaller, action: Action, accountId?: string): boolean {
  const scope = scopeOf(user, action);
  return scope === 'all' || (scope === 'own' && accountId !== undefined && accountId === user.accountId);
}

/** The actions that a role may give somewhere, within the API token: what the console shows. */
export function permissionsOf(user: Person): Action[] {
  return ACTIONS.filter((action) => isWithinToken(user, action) && scopeOfRole(user, action) !== undefined);
}

/**
 * Requires that the caller is a user who may do this in that account.
 * @param what names the resource for the error, `device 0199…`; without it, the account itself is named by the request
 * @throws Fault `not_found` for an account that the user may not see, whatever the role, to hide what other accounts
 *   have; else `permission_denied`
 */
export function requireMay(caller: Caller, action: Action, accountId: string, what?: string): UserCaller {
  const user = requireUser(caller);
  if (may(user, action, accountId)) return user;
  const hidden = scopeOfRole(user, 'accounts.read') === 'own' && accountId !== user.accountId;
  if (!hidden) throw notAllowed(user, action);
  throw what === undefined ? otherAccount(accountId) : new Fault('not_found', `${what}.`);
}

/** A request names an account that the user may not see. It counts as a refusal: whether that account exists is not checked. */
export function otherAccount(accountId: string): Fault {
  return new Fault('not_found', `account ${accountId}.`, { otherAccount: true });
}

/**
 * Where to look for a thing that is known by its id alone: what is not there is not found, for every role. What is found is then
 * held against {@link requireMay}.
 * @returns the account to filter by, or undefined for no filter (the caller sees all)
 */
export function sightOf(caller: Caller): string | undefined {
  const user = requireUser(caller);
  const scope = scopeOfRole(user, 'accounts.read');
  if (scope === undefined) throw notAllowed(user, 'accounts.read');
  return scope === 'all' ? undefined : user.accountId;
}

function notAllowed(user: Person, action: Action): Fault {
  const who = isWithinToken(user, action) ? 'your role' : 'this token';
  return new Fault('permission_denied', `${who} may not do this (${action}).`);
}

/**
 * The accounts that a list may show.
 * @param accountId the account asked for; empty for every account
 * @returns the account to filter by, or undefined for no filter (the caller sees all)
 * @throws Fault as {@link requireMay}
 */
export function listScope(
  caller: Caller,
  action: Action,
  accountId: string,
): { user: UserCaller; accountId: string | undefined } {
  const user = requireUser(caller);
  if (accountId) return { user: requireMay(caller, action, accountId), accountId };
  const scope = scopeOf(user, action);
  if (scope === undefined) throw notAllowed(user, action);
  return { user, accountId: scope === 'all' ? undefined : user.accountId };
}
