import { until as waitUntil } from '@warren/infra/until';

const PAUSE_MS = 500;

/**
 * Waits until a condition holds; an error counts as false. Checks every half second, as a check may start a program.
 * @throws Error after `timeoutMs`, with the last attempt's error
 */
export function until(condition: () => unknown, timeoutMs: number): Promise<void> {
  return waitUntil(condition, timeoutMs, PAUSE_MS);
}
