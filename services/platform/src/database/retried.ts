import { setTimeout as wait } from 'node:timers/promises';
import { isTransient } from './database.fault.ts';

/** Enough for dozens of concurrent changes to one row: each deadlock lets at least one of them commit. */
const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;

/**
 * Retries a transaction that lost against a concurrent one (deadlock, serialisation failure), with exponential backoff and jitter.
 * @param transaction one whole transaction, without effects outside of the database
 */
export async function retried<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error;
      await wait(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS));
    }
  }
}
