import { setTimeout as sleep } from 'node:timers/promises';
import { readStatus } from '../state/status.ts';

/** Whether a version may stay. */
export type Verdict = { good: true } | { good: false; why: string };

/** How long a version has for its proof, in milliseconds. */
export interface TrialTimes {
  /** To reach the hub and stay. */
  most: number;
  /** How long one process must have been connected. */
  settled: number;
}

export const TRIAL: TrialTimes = { most: 120_000, settled: 10_000 };

const LOOK_MS = 250;
/** Processes that came and went in a trial, after which there is no use in waiting on. */
const CRASHES_MAX = 3;

/**
 * Watches the agent that runs on a state folder until one process of it has been linked with the hub for a while.
 * @param state the agent's state folder
 */
export async function proveByStatus(state: string, times: TrialTimes): Promise<Verdict> {
  const until = performance.now() + times.most;
  const seen = new Set<number>();
  let since: number | undefined;
  let last = 0;
  let problem = 'it did not start';
  while (performance.now() < until) {
    const status = await readStatus(state).catch(() => undefined);
    if (status?.state !== 'connected' || status.pid !== last) since = undefined;
    if (status) {
      last = status.pid;
      seen.add(status.pid);
      if (seen.size > CRASHES_MAX) return { good: false, why: `it started ${seen.size} times and did not stay` };
      if (status.state === 'connected') {
        since ??= performance.now();
        if (performance.now() - since >= times.settled) return { good: true };
      }
      problem = status.problem ?? 'it was not linked for long enough';
    }
    await sleep(LOOK_MS);
  }
  return { good: false, why: `it did not reach the hub within ${Math.round(times.most / 1000)} seconds: ${problem}` };
}
