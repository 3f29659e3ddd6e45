import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits until a condition holds; an attempt that throws counts as not yet.
 * @throws Error after `timeoutMs`, with the last attempt's error as its cause
 */
export async function until(condition: () => unknown, timeoutMs = 20_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  let last: unknown;
  while (Date.now() < end) {
    try {
      if (await condition()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await wait(25);
  }
  throw new Error(`Not so after ${timeoutMs} ms.`, { cause: last });
}
