import type { Event } from '@warren/platform/events/event';
import type { EntityManager } from 'typeorm';
import { accountChanged } from '../events/tenancy.event.ts';
import { AccountEntity } from './account.entity.ts';

/** Tells of an account whose owner is different now: lists of accounts show the owner. */
export async function announceOwner(
  manager: EntityManager,
  emit: (event: Event) => void,
  accountId: string,
): Promise<void> {
  const account = await manager.findOneBy(AccountEntity, { id: accountId });
  if (account) emit(accountChanged(account));
}
