import { toJsonString } from '@bufbuild/protobuf';
import { isRestricted, may } from '@warren/platform/policy/policy';
import type { Action } from '@warren/platform/policy/policy';
import type { Event } from '@warren/platform/events/event';
import { AccessGrantSchema, type UserCaller } from '@warren/proto/common/v1/common';
import type { ChangeKind } from '@warren/rules/changes';

/** What a console hears: something of this kind is different now, or gone. */
export interface Change {
  kind: ChangeKind;
  id: string;
  /** The account whose people may know. */
  account: string;
}

const READ: Record<ChangeKind, Action> = {
  device: 'devices.read',
  account: 'accounts.read',
  user: 'users.list',
  group: 'groups.list',
  invitation: 'invitations.list',
  rollout: 'updates.manage',
  alert: 'devices.read',
  audit: 'audit.read',
  access: 'grants.read',
  request: 'accounts.read',
  guest: 'devices.read',
};

/**
 * The changes that an event is to people. A device that moved is a change in both accounts. A connection alone is none: the
 * devices service says so when its lists show it.
 */
export function changesOf({ kind, accountId: account }: Event): Change[] {
  switch (kind.case) {
    case 'deviceChanged':
      return inEach(kind.value.deviceId, account, kind.value.previousAccountId);
    case 'devicesChanged':
      return kind.value.deviceIds.map((id): Change => ({ kind: 'device', id, account }));
    case 'deviceDeleted':
      return [{ kind: 'device', id: kind.value.deviceId, account }];
    case 'accountChanged':
    case 'accountDeleted':
    case 'updateWindowChanged':
      return [{ kind: 'account', id: kind.value.accountId, account: kind.value.accountId }];
    case 'userChanged':
    case 'userDeleted':
      return [{ kind: 'user', id: kind.value.userId, account }];
    case 'groupChanged':
    case 'groupDeleted':
      return [{ kind: 'group', id: kind.value.groupId, account }];
    case 'invitationChanged':
    case 'invitationDeleted':
      return [{ kind: 'invitation', id: kind.value.invitationId, account }];
    case 'alertsChanged':
      return [{ kind: 'alert', id: kind.value.accountId, account }];
    case 'rolloutChanged':
      return [{ kind: 'rollout', id: kind.value.rolloutId, account }];
    default:
      return accountChange(kind, account);
  }
}

/** A change of an account's access or of its requests, or new events in audit trails. */
function accountChange(kind: Event['kind'], account: string): Change[] {
  if (kind.case === 'auditStored') return kind.value.accountIds.map((id) => ({ kind: 'audit', id, account: id }));
  // Without its id: people of the account may not see each other's.
  if (kind.case === 'accessRequestChanged') return [{ kind: 'request', id: account, account }];
  // Without the device's id: a member may see devices by grants alone.
  if (kind.case === 'guestLinkChanged') return [{ kind: 'guest', id: account, account }];
  // Lists may name it, and rights: it is a change of devices, of which nobody says which.
  if (kind.case === 'savedFilterChanged') return [{ kind: 'device', id: '', account }];
  if (kind.case !== 'accessChanged') return [];
  const { accountId } = kind.value;
  return [{ kind: 'access', id: accountId, account: accountId }];
}

/** A device's change in its account, and in the one that it left. */
function inEach(id: string, account: string, left: string): Change[] {
  const here: Change = { kind: 'device', id, account };
  return left && left !== account ? [here, { ...here, account: left }] : [here];
}

/**
 * What a user may hear of a change: all who may read its subject hear it. Somebody who sees devices by grants alone hears that some device of
 * the account is different, not which, and reads again what they may see.
 * @returns undefined for nothing
 */
export function heardOf(user: UserCaller, change: Change): Change | undefined {
  const { kind, account } = change;
  if (!isRestricted(user) || READ[kind] !== 'devices.read') return may(user, READ[kind], account) ? change : undefined;
  return account === user.accountId ? { ...change, id: kind === 'device' ? '' : change.id } : undefined;
}

/** Whether a change may be about what the user is allowed, so that it has to be asked again. */
export function concernsAccess(user: UserCaller, { kind, id }: Change): boolean {
  return (
    (kind === 'user' && id === user.userId) || ((kind === 'account' || kind === 'access') && id === user.accountId)
  );
}

/** Whether two answers to 'who asks' are the same person with the same rights. */
export function sameAccess(one: UserCaller, other: UserCaller): boolean {
  const rights = ({ userId, accountId, role, operator, explicitGrants, grants }: UserCaller) =>
    [
      userId,
      accountId,
      role,
      operator,
      explicitGrants,
      ...grants.map((grant) => toJsonString(AccessGrantSchema, grant)),
    ].join();
  return rights(one) === rights(other);
}
