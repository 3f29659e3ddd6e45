import { setTimeout as wait } from 'node:timers/promises';

/** Waits until a condition holds; an attempt that throws counts as not yet. Fails with the last error after `timeoutMs`. */
export async function until(condition: () => Promise<boolean> | boolean, timeoutMs = 10_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  let last: unknown;
  while (Date.now() < end) {
    try {
      if (await condition()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await wait(20);
  }
  throw new Error(`Not so after ${timeoutMs} ms: ${condition.toString()}`, { cause: last });
}
