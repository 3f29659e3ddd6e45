import { newEvent, type Event } from '@warren/platform/events/event';
import type { ListedGrant } from './access.sql.ts';

/** Who changed the access of which account. */
export interface AccessChange {
  account: { id: string; name: string };
  /** Absent for an expiry. */
  actor?: { userId: string; email: string };
  change: string;
}

/** The event for changed grants or a switched mode. */
export function accessChanged({ account, actor, change }: AccessChange): Event {
  const value = { accountId: account.id, accountName: account.name, by: actor?.email ?? '', change };
  return newEvent({ accountId: account.id, actor: actor?.userId ?? '', kind: { case: 'accessChanged', value } });
}

/** A grant in words: `Field team: view, terminal on site=north until 2026-12-24T00:00:00.000Z`. */
export function wordsOf({ subject_name: name, permissions, filter, expires }: Omit<ListedGrant, 'created'>): string {
  const until = expires ? ` until ${expires.toISOString()}` : '';
  return `${name || 'everyone'}: ${permissions.join(', ')} on ${filter || 'all devices'}${until}`;
}
