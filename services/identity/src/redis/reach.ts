import { Fault } from '@warren/platform/errors/fault';

const RETRY_AFTER_S = 2;

/**
 * Waits for Redis.
 * @throws Fault `unavailable` when it does not answer
 */
export async function reach<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new Fault('unavailable', 'The session store does not answer.', { cause, retryAfter: RETRY_AFTER_S });
  }
}
