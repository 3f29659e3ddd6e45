import { meshCentral } from '../extras.ts';
import type { Bench, Lab, Report } from '../lab.ts';
import { Ssh } from '../peers/ssh.ts';
import { startWetty } from '../peers/wetty.ts';
import { bulk } from '../probes/bulk.ts';
import { echo } from '../probes/echo.ts';
import { openToPrompt, type Opening } from '../probes/open.ts';
import { interleave } from '../rounds.ts';
import { percentile } from '../stats.ts';
import { localPty, loginShell } from '../targets/pty.ts';
import { THROUGH_GATEWAY, warren } from '../targets/warren.ts';
import type { Target } from '../terminal.ts';

const WARM_OPENS = 3;
const OPENS = 20;

/** Ours first, then what people have without it. */
async function targets(lab: Lab): Promise<{ all: Target[]; notes: string[] }> {
  const { hub, deviceId, at } = await lab.shared();
  const notes: string[] = [];
  const ours = [warren(hub, deviceId, at)];
  if (at !== hub.url) ours.push(warren(hub, deviceId, hub.url, THROUGH_GATEWAY));
  const all = [...ours, localPty, ...(await bySsh(lab, notes))];
  const mesh = await meshCentral(lab, notes);
  return { all: mesh ? [...all, mesh.terminal] : all, notes };
}

async function bySsh(lab: Lab, notes: string[]): Promise<Target[]> {
  const ssh = await Ssh.start();
  if (!ssh) {
    notes.push('ssh was left out: openssh-server is not installed.');
    return [];
  }
  lab.atEnd(() => ssh.stop());
  try {
    const wetty = await startWetty(ssh);
    lab.atEnd(() => wetty.stop());
    return [ssh.terminal, wetty];
  } catch (error) {
    notes.push(`WeTTY was left out: ${error instanceof Error ? error.message : String(error)}`);
    return [ssh.terminal];
  }
}

/** The times from a click to the prompt; the first few are not counted. */
async function opens(target: Target): Promise<Opening[]> {
  const times: Opening[] = [];
  for (let count = -WARM_OPENS; count < OPENS; count++) {
    const opening = await openToPrompt(target);
    if (count >= 0) times.push(opening);
  }
  return times;
}

/** Typing, and watching a flood. */
async function use(lab: Lab, all: Target[]): Promise<Report> {
  const { samples, megabytes } = lab.choice;
  const results = await interleave(all, lab.choice, async (target) => {
    const { p50Ms, p99Ms } = await echo(target, samples);
    return { p50Ms, p99Ms, rate: await bulk(target, megabytes) };
  });
  const rows = results.map(({ target: { name }, figures: { p50Ms, p99Ms, rate } }) => ({
    name,
    values: [p50Ms, p99Ms, rate],
  }));
  return {
    title: 'Terminal',
    notes: [],
    head: ['echo p50, ms', 'echo p99, ms', `bulk of ${megabytes} MB, MB/s`],
    rows,
  };
}

/** From the click to the prompt; the first column is without the shell's own start. */
async function opening(lab: Lab, all: Target[]): Promise<Report> {
  const results = await interleave(all, lab.choice, async (target) => {
    const times = await opens(target);
    const of = (p: number, what: keyof Opening) =>
      percentile(
        times.map((time) => time[what]),
        p,
      );
    return { opened: of(0.5, 'openedMs'), prompt50: of(0.5, 'promptMs'), prompt90: of(0.9, 'promptMs') };
  });
  const rows = results.map(({ target: { name }, figures: { opened, prompt50, prompt90 } }) => ({
    name,
    values: [opened, prompt50, prompt90],
  }));
  const notes = [
    "Warren and ssh open a login shell, which reads its user's profile; MeshCentral one that reads its user's .bashrc; WeTTY and the local PTY a bare one.",
    'For ssh and the local PTYs, `opened` is no more than the start of a process of the bench.',
  ];
  return { title: 'Opening a terminal', notes, head: ['opened p50, ms', 'prompt p50, ms', 'prompt p90, ms'], rows };
}

/** A shell: what typing, watching a flood, and opening it feel like. */
export const terminal: Bench = {
  run: async (lab) => {
    const { all, notes } = await targets(lab);
    const first = await use(lab, all);
    const second = await opening(lab, [...all, loginShell]);
    return [{ ...first, notes: [...notes, ...first.notes] }, second];
  },
};
