import type { Event } from '@warren/platform/events/event';
import type { EntityManager } from 'typeorm';
import { AccountEntity } from './account.entity.ts';
import { accountChanged } from './founder.ts';

/** Tells of an account whose owner is different now: lists of accounts show the owner. */
export async function announceOwner(
  manager: EntityManager,
  emit: (event: Event) => void,
  accountId: string,
): Promise<void> {
  const account = await manager.findOneBy(AccountEntity, { id: accountId });
  if (account) emit(accountChanged(account));
}
