import { newEvent, type Event } from '@warren/platform/events/event';
import { quotasMessage } from '@warren/platform/quotas/quotas';
import type { OwnQuotas } from '@warren/rules/quotas';
import type { StatusName } from '../contract/enums.ts';

interface ChangedAccount {
  id: string;
  name: string;
  status: StatusName;
  operator: boolean;
  quotas: OwnQuotas;
}

export interface ChangedUser {
  id: string;
  accountId: string;
  email: string;
  status: StatusName;
}

interface ChangedInvitation {
  id: string;
  accountId: string;
}

/** The event for a new or changed account. */
export function accountChanged({ id, name, status, operator, quotas }: ChangedAccount): Event {
  const value = { accountId: id, name, active: status === 'Active', operator, ownQuotas: quotasMessage(quotas) };
  return newEvent({ accountId: id, kind: { case: 'accountChanged', value } });
}

/**
 * The event for a new or changed user.
 * @param signInResetBy the user who reset the sign-in
 */
export function userChanged({ id, accountId, email, status }: ChangedUser, signInResetBy = ''): Event {
  const value = { userId: id, email, active: status === 'Active', signInResetBy };
  return newEvent({ accountId, kind: { case: 'userChanged', value } });
}

/** The event for a new or changed invitation. */
export function invitationChanged({ id, accountId }: ChangedInvitation, actor = ''): Event {
  return newEvent({ accountId, actor, kind: { case: 'invitationChanged', value: { invitationId: id } } });
}

/** The event for an accepted or cancelled invitation. */
export function invitationDeleted({ id, accountId }: ChangedInvitation, actor = ''): Event {
  return newEvent({ accountId, actor, kind: { case: 'invitationDeleted', value: { invitationId: id } } });
}
