import { newEvent, type Event } from '@warren/platform/events/event';
import type { UserCaller } from '@warren/proto/common/v1/common';

/** The event for consoles: alerts, rules or silences of an account are different now. */
export function alertsChanged(accountId: string): Event {
  return newEvent({ accountId, kind: { case: 'alertsChanged', value: { accountId } } });
}

/** What a person did, for the audit trail. */
export interface Deed {
  accountId: string;
  accountName: string;
  actor: UserCaller;
  change: string;
}

/** The audit event for what a person did. */
export function audited(
  kind: 'alertRuleChanged' | 'alertsAcknowledged' | 'alertSilenceChanged',
  { accountId, accountName, actor, change }: Deed,
): Event {
  const value = { accountId, accountName, by: actor.email, change };
  return newEvent({ accountId, actor: actor.userId, kind: { case: kind, value } });
}
