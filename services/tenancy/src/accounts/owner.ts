import type { Event } from '@warren/platform/events/event';
import type { EntityManager } from 'typeorm';
import { accountChanged } from '../events/tenancy.event.ts';
import { AccountEntity } from './account.entity.ts';

/** Emits an event for an account with a changed owner: lists of accounts show the owner. */
export async function announceOwner(
  manager: EntityManager,
  emit: (event: Event) => void,
  accountId: string,
): Promise<void> {
  const account = await manager.findOneBy(AccountEntity, { id: accountId });
  if (account) emit(accountChanged(account));
}
