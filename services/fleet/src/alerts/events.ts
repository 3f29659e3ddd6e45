import { auditEvent, type Audited } from '@warren/platform/audit/audit.event';
import { newEvent, type Event } from '@warren/platform/events/event';
import { followingId } from '@warren/platform/events/event.id';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';

/** The event for consoles: alerts, rules or silences of an account are different now. */
export function alertsChanged(accountId: string): Event {
  return newEvent({ accountId, kind: { case: 'alertsChanged', value: { accountId } } });
}

/** What a person did with a rule or a silence. */
export type Deed = Omit<Audited, 'actor' | 'following'> & {
  /** The event for the pass over alerts, which happens at once. */
  kind: 'alertRuleChanged' | 'alertSilenceChanged';
};

/** The events for what a person did with a rule or a silence: for the alerts, for the audit trail and for consoles. */
export function deedEvents(caller: Caller, { kind, ...audited }: Deed): Event[] {
  const { accountId } = audited;
  const { userId, email } = requireUser(caller);
  const value = { accountId, by: email, change: audited.action };
  const changed = newEvent({ accountId, actor: userId, audited: true, kind: { case: kind, value } });
  return [
    changed,
    // By this id, a row that a replica of 0.1 writes from the first event is recognised.
    { ...auditEvent(caller, audited), id: followingId(changed.id, 'audit') },
    alertsChanged(accountId),
  ];
}
