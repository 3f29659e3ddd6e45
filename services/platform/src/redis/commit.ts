import { Fault } from '../errors/fault.ts';
import type { ChainableCommander } from 'ioredis';

const RETRY_AFTER_S = 2;

/**
 * Waits for Redis.
 * @throws Fault `unavailable` if it does not answer
 */
export async function reach<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new Fault('unavailable', 'Redis does not answer.', { cause, retryAfter: RETRY_AFTER_S });
  }
}

/**
 * Runs a transaction.
 * @returns the answer of each command
 * @throws Fault `unavailable` if Redis does not answer, or rejects a command
 */
export async function commit(transaction: ChainableCommander): Promise<unknown[]> {
  const answers = await reach(transaction.exec());
  const failed = answers ? answers.find(([error]) => error)?.[0] : new Error('The transaction was dropped.');
  if (failed) return reach(Promise.reject(failed));
  return (answers ?? []).map(([, answer]) => answer);
}
