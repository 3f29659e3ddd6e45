import { Fault } from '@warren/platform/errors/fault';
import type { EventfulTransactions, EventfulWork } from '@warren/platform/events/outbox';
import type { EntityManager } from 'typeorm';
import { setTimeout as wait } from 'node:timers/promises';
import type { SavedFilterEntity } from './saved.filter.entity.ts';
import { lockOwn, tryLock } from './saved.filters.sql.ts';

const AGAIN_MS = 50;
const MOST_ATTEMPTS = 40;
const AGAIN_S = 1;

/** The saved filters of an account are being changed by another request. */
export class BeingChanged extends Fault {
  constructor() {
    super('unavailable', 'The account’s views are being changed. Try again in a moment.', { retryAfter: AGAIN_S });
  }
}

/**
 * Locks the filters of the same person or account against other changes, and against what begins to name them.
 * @throws BeingChanged while those of the account are changed
 */
export async function lockSaved(
  manager: EntityManager,
  row: Pick<SavedFilterEntity, 'userId' | 'accountId'>,
): Promise<void> {
  if (row.userId !== null) await lockOwn(manager, row.userId);
  else if (!(await tryLock(manager, row.accountId))) throw new BeingChanged();
}

/**
 * Runs a change of saved filters, and waits for others of the account without a connection: a change asks other services, and those of one
 * account must not take all connections.
 * @throws BeingChanged after about 2 s
 */
export async function changeSaved<T>(outbox: EventfulTransactions, work: EventfulWork<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await outbox.transaction(work);
    } catch (error) {
      if (!(error instanceof BeingChanged) || attempt === MOST_ATTEMPTS) throw error;
    }
    await wait(AGAIN_MS);
  }
}
