import { may } from '@warren/platform/policy/policy';
import type { Action } from '@warren/platform/policy/policy';
import type { Event } from '@warren/platform/events/event';
import type { UserCaller } from '@warren/proto/common/v1/common';

/** What a console hears: something of this kind is different now, or gone. */
export interface Change {
  kind: 'device' | 'account' | 'user' | 'group' | 'invitation' | 'rollout' | 'alert' | 'audit';
  id: string;
  /** The account whose people may know. */
  account: string;
}

const READ: Record<Change['kind'], Action> = {
  device: 'devices.read',
  account: 'accounts.read',
  user: 'users.list',
  group: 'groups.list',
  invitation: 'invitations.list',
  rollout: 'updates.manage',
  alert: 'devices.read',
  audit: 'audit.read',
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
      return recordedIn(kind);
  }
}

/** New events of accounts in the audit trail. */
function recordedIn(kind: Event['kind']): Change[] {
  if (kind.case !== 'auditStored') return [];
  return kind.value.accountIds.map((id) => ({ kind: 'audit', id, account: id }));
}

/** A device's change in its account, and in the one that it left. */
function inEach(id: string, account: string, left: string): Change[] {
  const here: Change = { kind: 'device', id, account };
  return left && left !== account ? [here, { ...here, account: left }] : [here];
}

/** Whether a user may receive a change: all who may read its subject. */
export function mayHear(user: UserCaller, { kind, account }: Change): boolean {
  return may(user, READ[kind], account);
}

/** Whether a change may be about what the user is allowed, so that it has to be asked again. */
export function concernsAccess(user: UserCaller, { kind, id }: Change): boolean {
  return (kind === 'user' && id === user.userId) || (kind === 'account' && id === user.accountId);
}

/** Whether two answers to 'who asks' are the same person with the same rights. */
export function sameAccess(one: UserCaller, other: UserCaller): boolean {
  const rights = ({ userId, accountId, role, operator }: UserCaller) => [userId, accountId, role, operator].join();
  return rights(one) === rights(other);
}
