import { setTimeout as wait } from 'node:timers/promises';

const PAUSE_MS = 500;

/**
 * Waits until a condition holds; an error counts as false. Checks every half second, as a check may start a program.
 * @throws Error after `timeoutMs`, with the last attempt's error
 */
export async function until(condition: () => unknown, timeoutMs: number): Promise<void> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    let last: unknown = `not so: ${String(condition)}`;
    try {
      if (await condition()) return;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`after ${timeoutMs / 1000} s: ${String(last)}`, { cause: last });
    await wait(PAUSE_MS);
  }
}
