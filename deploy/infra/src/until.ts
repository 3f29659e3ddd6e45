import { setTimeout as wait } from 'node:timers/promises';

/** How often in a row a figure is the same when it stands still, some 25 ms apart: looks count and not time, of which a busy machine may take a second between two. */
const ALIKE = 40;

/** A machine that stood still has used up the time without a look. */
const LEAST_LOOKS = 20;

/**
 * Waits until a condition holds; an attempt that throws counts as not yet.
 * @throws Error after `timeoutMs`, with the condition as it is written and the last attempt's error as its cause
 */
export async function until(condition: () => unknown, timeoutMs = 20_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  let last: unknown;
  for (let looks = 0; looks < LEAST_LOOKS || Date.now() < end; looks++) {
    try {
      if (await condition()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await wait(25);
  }
  throw new Error(`Not so after ${timeoutMs} ms: ${String(condition)}`, { cause: last });
}

/**
 * Waits until nothing moves a figure any more.
 * @returns the figure
 * @throws Error when it still moves after `timeoutMs`
 */
export async function settled(figure: () => number | Promise<number>, timeoutMs = 30_000): Promise<number> {
  let before = Number.NaN;
  let alike = 0;
  await until(async () => {
    const now = await figure();
    alike = now === before ? alike + 1 : 0;
    before = now;
    return alike >= ALIKE;
  }, timeoutMs);
  return before;
}
