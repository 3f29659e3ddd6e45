import type { Bench, Lab } from '../lab.ts';
import { Ssh } from '../peers/ssh.ts';
import { startWetty } from '../peers/wetty.ts';
import { bulk } from '../probes/bulk.ts';
import { echo } from '../probes/echo.ts';
import { openToPrompt } from '../probes/open.ts';
import { interleave } from '../rounds.ts';
import { percentile } from '../stats.ts';
import { localPty } from '../targets/pty.ts';
import { warren } from '../targets/warren.ts';
import type { Target } from '../terminal.ts';

const WARM_OPENS = 3;
const OPENS = 20;

/** Ours first, then what people have without it. */
async function targets(lab: Lab): Promise<{ all: Target[]; notes: string[] }> {
  const { hub, deviceId } = await lab.shared();
  const all = [warren(hub, deviceId), localPty];
  const notes: string[] = [];
  const ssh = await Ssh.start();
  if (!ssh) return { all, notes: ['ssh was left out: openssh-server is not installed.'] };
  lab.atEnd(() => ssh.stop());
  all.push(ssh.terminal);
  try {
    const wetty = await startWetty(ssh);
    lab.atEnd(() => wetty.stop());
    all.push(wetty);
  } catch (error) {
    notes.push(`WeTTY was left out: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { all, notes };
}

/** The times from a click to the prompt; the first few are not counted. */
async function opens(target: Target): Promise<number[]> {
  const times: number[] = [];
  for (let count = -WARM_OPENS; count < OPENS; count++) {
    const ms = await openToPrompt(target);
    if (count >= 0) times.push(ms);
  }
  return times;
}

/** A shell: what typing, watching a flood, and opening it feel like. */
export const terminal: Bench = {
  run: async (lab) => {
    const { samples, megabytes, rounds } = lab.choice;
    const { all, notes } = await targets(lab);
    const results = await interleave(all, rounds, async (target) => {
      const { p50Ms, p99Ms } = await echo(target, samples);
      const rate = await bulk(target, megabytes);
      const times = await opens(target);
      return { p50Ms, p99Ms, rate, open50: percentile(times, 0.5), open90: percentile(times, 0.9) };
    });
    const rows = results.map(({ target, figures: { p50Ms, p99Ms, rate, open50, open90 } }) => ({
      name: target.name,
      values: [p50Ms, p99Ms, rate, open50, open90],
    }));
    const head = ['echo p50, ms', 'echo p99, ms', `bulk of ${megabytes} MB, MB/s`, 'open p50, ms', 'open p90, ms'];
    return [{ title: 'Terminal', notes, head, rows }];
  },
};
