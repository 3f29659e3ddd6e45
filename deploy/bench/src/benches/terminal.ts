import { meshCentral } from '../extras.ts';
import type { Bench, Lab, Report } from '../lab.ts';
import { Ssh } from '../peers/ssh.ts';
import { startTtyd } from '../peers/ttyd.ts';
import { startWetty } from '../peers/wetty.ts';
import { bulk } from '../probes/bulk.ts';
import { echo } from '../probes/echo.ts';
import { openToPrompt, type Opening } from '../probes/open.ts';
import { interleave } from '../rounds.ts';
import { percentile } from '../stats.ts';
import { localPty, loginShell } from '../targets/pty.ts';
import { secureWarren } from '../targets/warren.secure.ts';
import { THROUGH_GATEWAY, warren } from '../targets/warren.ts';
import type { Target } from '../terminal.ts';

const WARM_OPENS = 3;
const OPENS = 20;

interface Targets {
  ours: Target[];
  /** Alternatives. */
  peers: Target[];
  notes: string[];
}

async function targets(lab: Lab): Promise<Targets> {
  const { hub, deviceId, at } = await lab.shared();
  const notes: string[] = [];
  const ours = [warren(hub, deviceId, at)];
  if (at !== hub.url) ours.push(warren(hub, deviceId, hub.url, THROUGH_GATEWAY));
  const secure = await secureWarren(lab);
  if (secure) ours.push(secure);
  else notes.push('Warren under TLS was left out: caddy is not installed.');
  const peers = [localPty, ...(await bySsh(lab, notes))];
  const mesh = await meshCentral(lab, notes);
  return { ours, peers: mesh ? [...peers, mesh.terminal] : peers, notes };
}

async function bySsh(lab: Lab, notes: string[]): Promise<Target[]> {
  const ssh = await Ssh.start();
  if (!ssh) {
    notes.push('ssh was left out: openssh-server is not installed.');
    return [];
  }
  lab.atEnd(() => ssh.stop());
  const peers = {
    ttyd: async () => startTtyd(ssh),
    WeTTY: async () => {
      const wetty = await startWetty(ssh);
      return { targets: [wetty], stop: () => wetty.stop() };
    },
  };
  const all = [ssh.terminal];
  for (const [name, start] of Object.entries(peers)) {
    try {
      const { targets: its, stop } = await start();
      lab.atEnd(stop);
      all.push(...its);
    } catch (error) {
      notes.push(`${name} was left out: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return all;
}

/** Measures the time from a click to the prompt, without the first few. */
async function opens(target: Target): Promise<Opening[]> {
  const times: Opening[] = [];
  for (let count = -WARM_OPENS; count < OPENS; count++) {
    const opening = await openToPrompt(target);
    if (count >= 0) times.push(opening);
  }
  return times;
}

/** Measures typing and a flood of output. */
async function use(lab: Lab, { ours, peers, notes }: Targets): Promise<Report> {
  const { samples, megabytes } = lab.choice;
  const figures = async (target: Target) => {
    const { p50Ms, p99Ms, pausedMs } = await echo(target, samples);
    return { p50Ms, p99Ms, pausedMs, rate: await bulk(target, megabytes) };
  };
  const leaveOut = (target: Target, error: unknown) => {
    if (ours.includes(target)) throw error;
    notes.push(`${target.name} was left out: ${error instanceof Error ? error.message : String(error)}`);
    peers.splice(peers.indexOf(target), 1);
  };
  const results = await interleave([...ours, ...peers], lab.choice, figures, leaveOut);
  const rows = results.map(({ target: { name }, figures: { p50Ms, p99Ms, pausedMs, rate } }) => ({
    name,
    values: [p50Ms, p99Ms, pausedMs, rate],
  }));
  return {
    title: 'Terminal',
    notes,
    head: ['echo p50, ms', 'echo p99, ms', 'p50 with 10 ms between keys', `bulk of ${megabytes} MB, MB/s`],
    rows,
  };
}

/** Measures from the click to the prompt; the first column excludes the shell's start. */
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
    "Warren opens a login shell, which reads its user's profile; MeshCentral one that reads its user's .bashrc; ttyd, WeTTY and the local PTY a bare one.",
    'ssh opens a bare one too, but bash reads .bashrc before when sshd starts it.',
    'For ssh and the local PTYs, `opened` is no more than the start of a process of the bench.',
  ];
  return { title: 'Opening a terminal', notes, head: ['opened p50, ms', 'prompt p50, ms', 'prompt p90, ms'], rows };
}

/** Measures a shell: typing, a flood of output, and opening. */
export const terminal: Bench = {
  run: async (lab) => {
    const all = await targets(lab);
    const used = await use(lab, all);
    return [used, await opening(lab, [...all.ours, ...all.peers, loginShell])];
  },
};
