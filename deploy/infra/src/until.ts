import { setTimeout as wait } from 'node:timers/promises';

/** Equal readings in a row that count as stable, about 25 ms apart; counted rather than timed, as a busy machine may delay them. */
const ALIKE = 40;

const PAUSE_MS = 25;

/** Minimum number of checks, as a stalled machine may use up the time without any. */
const LEAST_LOOKS = 20;

/**
 * Waits until a condition holds; an error counts as false. A loaded machine is slow, not wrong: the time is against hanging only.
 * @param pauseMs between two checks; longer where a check starts a program
 * @throws Error after `timeoutMs`, with the condition's source and the last error, which is its cause too
 */
export async function until(condition: () => unknown, timeoutMs = 60_000, pauseMs = PAUSE_MS): Promise<void> {
  const end = Date.now() + timeoutMs;
  let last: unknown;
  for (let looks = 0; looks < LEAST_LOOKS || Date.now() < end; looks++) {
    try {
      if (await condition()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await wait(pauseMs);
  }
  const reason = last === undefined ? '' : `\nThe last check failed: ${String(last)}`;
  throw new Error(`Not so after ${timeoutMs} ms: ${String(condition)}${reason}`, { cause: last });
}

/**
 * Waits until a number is stable.
 * @returns the figure
 * @throws Error if it still changes after `timeoutMs`
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
