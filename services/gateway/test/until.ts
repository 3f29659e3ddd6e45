import { setTimeout as wait } from 'node:timers/promises';

/** Waits until a condition holds; fails after `timeoutMs`. */
export async function until(condition: () => boolean, timeoutMs = 10_000): Promise<void> {
  for (const end = Date.now() + timeoutMs; !condition(); await wait(10)) {
    if (Date.now() > end) throw new Error(`Not so after ${timeoutMs} ms: ${condition}`);
  }
}
