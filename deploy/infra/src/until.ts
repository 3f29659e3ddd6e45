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

/**
 * Waits until a figure has stayed as it is for a while.
 * @param measure asked every 25 ms
 * @returns the figure
 * @throws Error after `timeoutMs`
 */
export async function settled(measure: () => number, forMs = 1_000, timeoutMs = 20_000): Promise<number> {
  let figure = measure();
  let since = performance.now();
  await until(() => {
    const now = measure();
    if (now === figure) return performance.now() - since >= forMs;
    figure = now;
    since = performance.now();
    return false;
  }, timeoutMs);
  return figure;
}
