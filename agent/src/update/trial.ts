import { setTimeout as sleep } from 'node:timers/promises';
import { readStatus } from '../state/status.ts';
import { runProgram } from '../system/program.ts';

/** Whether a version may stay. */
export type Verdict = { good: true } | { good: false; why: string };

/** The agent as what starts it knows it. */
export interface Service {
  /** Starts the agent anew; rejects when it does not come up. */
  restart(): Promise<void>;
}

/** Nothing was learned of the version: the device itself goes down. The trial goes on when it is back. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

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
const RESTART_MS = 100_000;
const ASK_MS = 10_000;

/** The service of systemd with this name. */
export function systemdService(name: string): Service {
  return {
    restart: async () => {
      await runProgram('systemctl', ['restart', name], RESTART_MS).catch(async (cause: unknown) => {
        if (await isGoingDown()) throw new Interrupted('the device goes down', { cause });
        // What systemctl says here fills a terminal and names no reason.
        throw new Error(`it does not start: see journalctl -u ${name} on the device`, { cause });
      });
    },
  };
}

/** A system that stops refuses to start anything, and one whose power goes does not answer any more. */
async function isGoingDown(): Promise<boolean> {
  const said = await runProgram('systemctl', ['show', '--property=SystemState', '--value'], ASK_MS).catch(() => '');
  return ['', 'stopping', 'offline'].includes(said.trim());
}

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
