import type { DoctorConfig } from '../config.ts';
import { EXIT, UserError } from '../errors.ts';
import { readEnrolment } from '../state/enrolment.ts';
import { hiddenSettings } from '../state/settings.ts';
import { readStatus } from '../state/status.ts';
import { statusInWords } from '../status.ts';
import { CHECKS, skipped, type Check, type CheckName } from './check.ts';
import { examineClock, examineKey, examineUpgrade } from './hub.ts';
import { examineMtu } from './mtu.ts';
import { examineWay } from './way.ts';

/** The doctor's findings. */
export interface Findings {
  hub: string;
  /** The state of the agent's link; undefined on a device that is not enrolled. */
  status?: string | undefined;
  /** Limits of these findings. */
  notes: string[];
  checks: Check[];
  /** Nothing failed. */
  ok: boolean;
}

/**
 * Checks the way to the hub step by step, with the code that the agent dials with. The link of a running agent stays open.
 * @param report called with each finished check
 * @throws UserError when the device is not enrolled and no hub is named
 */
export async function examine(
  config: DoctorConfig,
  version: string,
  report: (check: Check) => void,
): Promise<Findings> {
  const enrolment = await readEnrolment(config.state);
  const hub = config.hub ?? enrolment?.hub;
  if (hub === undefined)
    throw new UserError(`this device is not enrolled (${config.state}); name the hub by --hub`, EXIT.config);
  const checks: Check[] = [];
  const add = (check: Check) => {
    checks.push(check);
    report(check);
  };
  await examineAll(hub, enrolment?.hub === hub ? config.state : undefined, version, add);
  return {
    hub,
    status: enrolment && statusInWords(await readStatus(config.state), enrolment, Date.now()).text,
    notes: await notesOn(config),
    checks,
    ok: checks.every(({ result }) => result !== 'failed'),
  };
}

async function examineAll(hub: string, state: string | undefined, version: string, add: (check: Check) => void) {
  const { checks, answer, answered, silentTls } = await examineWay(hub);
  checks.forEach(add);
  if (!answer) {
    const broken = checks.find(({ result }) => result === 'failed')?.step;
    const needs = (step: CheckName) => skipped(step, broken ? `needs ${broken}` : 'the hub does not answer');
    if (broken !== 'clock') add(needs('clock'));
    add(silentTls ? await examineMtu(hub, true) : needs('MTU'));
    // The dial reports a failure at the hub itself.
    add(broken ? needs('upgrade') : await examineUpgrade(hub, version));
    return add(needs('key'));
  }
  add(examineClock(answer, Date.now(), answered));
  add(await examineMtu(hub, false));
  add(await examineUpgrade(hub, version));
  add(state === undefined ? skipped('key', 'this device is not enrolled with this hub') : await examineKey(state));
}

async function notesOn({ program }: DoctorConfig): Promise<string[]> {
  const hidden = program === undefined ? undefined : await hiddenSettings(program);
  return hidden === undefined
    ? []
    : [`You may not read ${hidden}: this was without the proxy and authority in it. Run it with sudo.`];
}

const STEP_WIDTH = Math.max(...CHECKS.map((step) => step.length));

/** Formats one check as a line for people, with its advice on another. */
export function checkInWords({ step, result, ms, detail, advice }: Check): string {
  const time = ms === undefined ? '' : `${ms} ms`;
  const word = result === 'failed' ? 'FAILED' : result;
  const line = `${step.padEnd(STEP_WIDTH)}  ${word.padEnd(7)}  ${time.padStart(8)}  ${detail}`;
  return advice === undefined ? line : `${line}\n${' '.repeat(STEP_WIDTH)}  → ${advice}`;
}
