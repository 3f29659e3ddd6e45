import { uptime } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { linkedSeconds, readStatus, type LinkStatus } from '../state/status.ts';
import { addCrash, crashWords, flaps } from './confidence.ts';
import type { Crashes, Trial } from './records.ts';

/** The verdict on a version, and its crashes so far. */
export type Verdict = { good: true; crashes: Crashes } | { good: false; why: string; crashes: Crashes };

/** The time limits of a trial, in seconds. */
export interface TrialTimes {
  /** To reach the hub, and to restart after an exit. */
  reach: number;
  /** How long one process must have been linked in total. */
  stay: number;
  /** For the whole trial. */
  most: number;
}

/** A trial's needs besides the agent's status. */
export interface TrialHooks {
  /** Saves the crashes so far, in case the device goes down. */
  crashed: (crashes: Crashes) => Promise<void>;
  /** Whether the hub offers the former version again. */
  recalled: () => Promise<boolean>;
}

const LOOK_MS = 500;
/** A version that has run on this device before only has to reach the hub. */
const BACK_STAY_S = 10;
/** Attempts that breaks of the link and crashes allow, each of the full time. */
const TRIES = 3;

/** @param reach @param stay the configured limits, in seconds */
export function trialTimes({ back }: Pick<Trial, 'back'>, reach: number, stay: number): TrialTimes {
  const needed = back ? Math.min(stay, BACK_STAY_S) : stay;
  return { reach, stay: needed, most: reach + TRIES * needed };
}

/** Observations of a version on trial. Times are in seconds since boot. */
export class TrialWatch {
  private readonly times: TrialTimes;
  private readonly begun: number;
  private counted: Crashes;
  private process = '';
  private linked = 0;
  private reached = false;
  private alive: number;
  private problem = 'it did not start';

  constructor(times: TrialTimes, crashes: Crashes, begun: number) {
    this.times = times;
    this.counted = crashes;
    this.begun = this.alive = begun;
  }

  get crashes(): Crashes {
    return this.counted;
  }

  /** @returns the verdict, once there is one */
  see(status: LinkStatus | undefined, now: number): Verdict | undefined {
    const { stay } = this.times;
    if (status) this.look(status, now);
    if (flaps(this.counted)) return this.bad(crashWords(this.counted, this.before));
    if (status?.state === 'connected' && this.linked >= stay) return { good: true, crashes: this.counted };
    return this.late(now);
  }

  /** How long the former process was linked. */
  private before = 0;

  private look(status: LinkStatus, now: number): void {
    const process = `${status.pid} ${status.started}`;
    if (this.process !== '' && process !== this.process) {
      this.before = this.linked;
      this.counted = addCrash(this.counted, this.linked, this.times.stay);
    }
    this.process = process;
    this.alive = now;
    this.linked = linkedSeconds(status, now);
    this.reached ||= status.state === 'connected';
    this.problem = status.problem ?? 'it was not linked for long enough';
  }

  private late(now: number): Verdict | undefined {
    const { reach, stay, most } = this.times;
    if (!this.reached && now - this.begun >= reach)
      return this.bad(`it did not reach the hub within ${Math.round(reach)} seconds: ${this.problem}`);
    if (now - this.alive >= reach) return this.bad('it ended and did not start again');
    if (now - this.begun < most) return undefined;
    return this.bad(`it was not linked for ${Math.round(stay)} seconds within ${Math.round(most)}: ${this.problem}`);
  }

  private bad(why: string): Verdict {
    return { good: false, why, crashes: this.counted };
  }
}

/**
 * Watches the agent on a state folder until the trial has a verdict.
 * @param state the agent's state folder
 */
export async function proveByStatus(
  state: string,
  trial: Trial,
  times: TrialTimes,
  hooks: TrialHooks,
): Promise<Verdict> {
  const watch = new TrialWatch(times, trial.crashes, uptime());
  let kept = trial.crashes;
  for (;;) {
    const verdict = watch.see(await readStatus(state).catch(() => undefined), uptime());
    if (verdict) return verdict;
    if (watch.crashes.count > kept.count) await hooks.crashed((kept = watch.crashes));
    if (await hooks.recalled()) return { good: false, why: 'a person rolled it back', crashes: watch.crashes };
    await sleep(LOOK_MS);
  }
}
