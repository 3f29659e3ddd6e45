import { setTimeout as wait } from 'node:timers/promises';
import type { Bench, Lab, Product, Report } from '../lab.ts';
import { bulk } from '../probes/bulk.ts';
import { echo } from '../probes/echo.ts';
import { usages } from '../probes/processes.ts';
import { newestRecording, setRecordingPolicy, type RecordingPolicy } from '../probes/recordings.ts';
import { relayDown } from '../probes/relay.ts';
import { interleave } from '../rounds.ts';
import type { Row } from '../table.ts';
import { quiet, untilOutput, type Terminal } from '../terminal.ts';
import { startRawServer } from '../targets/raw.ts';
import { asViewer } from '../targets/viewer.ts';
import { warren } from '../targets/warren.ts';
import { warrenDesktop } from '../targets/warren.desktop.ts';

const POLICIES: readonly RecordingPolicy[] = ['off', 'best_effort', 'required'];

/** An agent has 32 at most; the other benches need one. */
const TERMINALS = 30;
const SETTLE_MS = 15_000;
const KB = 1_024;

/** What people do in shells, as commands whose output is typical. */
const SHELLS: Record<string, string> = {
  'listing folders': 'for n in 1 2 3 4 5 6; do ls -la --color=always /usr/bin /etc /usr/lib; done',
  'a log':
    'for n in $(seq 3000); do echo "2026-12-01T08:00:$((n % 60)) pump-7 controller[$n]: pressure $((n * 37 % 913)) within limits"; done',
  'a status screen':
    'for n in $(seq 150); do printf "\\033[H\\033[2J"; head -40 /proc/meminfo; cat /proc/loadavg; sleep 0.02; done',
};

/** Measures typing and a flood by each policy. */
async function use(lab: Lab, product: Product): Promise<Report> {
  const { hub, deviceId, at } = product;
  const { samples, megabytes } = lab.choice;
  const target = warren(hub, deviceId, at);
  const results = await interleave(POLICIES, lab.choice, async (policy) => {
    await setRecordingPolicy(product.hub, policy);
    const { p50Ms, p99Ms, pausedMs } = await echo(target, samples);
    return { p50Ms, p99Ms, pausedMs, rate: await bulk(target, megabytes) };
  });
  const rows = results.map(({ target: name, figures: { p50Ms, p99Ms, pausedMs, rate } }) => ({
    name,
    values: [p50Ms, p99Ms, pausedMs, rate],
  }));
  const head = ['echo p50, ms', 'echo p99, ms', 'p50 with 10 ms between keys', `bulk of ${megabytes} MB, MB/s`];
  return { title: 'Terminal by recording policy', notes: [], head, rows };
}

/** Measures a flood of a desktop by each policy. With best effort the recording ends where the store can't keep up. */
async function desktops(lab: Lab, product: Product): Promise<Report> {
  const { hub, deviceId, at } = product;
  const { megabytes } = lab.choice;
  const server = await startRawServer();
  lab.atEnd(() => server.stop());
  const { result } = await hub.get<{ result: { serial: string } }>(`/api/devices/${deviceId}`);
  await hub.send('PUT', '/tunnel/set_vnc', { id: deviceId, serial: result.serial, port: server.port });
  const target = asViewer(warrenDesktop(hub, deviceId, at));
  const results = await interleave(POLICIES, lab.choice, async (policy) => {
    await setRecordingPolicy(product.hub, policy);
    const rate = await relayDown(target, megabytes);
    if (policy === 'off') return { rate, recorded: 0 };
    const { bytes } = await newestRecording(hub, 'desktop');
    return { rate, recorded: bytes / 1_000_000 };
  });
  const rows = results.map(({ target: name, figures: { rate, recorded } }) => ({ name, values: [rate, recorded] }));
  const notes = ['Bytes of a server that sends as fast as it can, which no VNC server does.'];
  const head = [`down ${megabytes} MB, MB/s`, 'recorded, MB'];
  return { title: 'Desktop by recording policy', notes, head, rows };
}

/** Measures what typical output takes in the store. */
async function sizes(product: Product): Promise<Report> {
  const { hub, deviceId, at } = product;
  const target = warren(hub, deviceId, at);
  await setRecordingPolicy(product.hub, 'required');
  const rows: Row[] = [];
  for (const [name, command] of Object.entries(SHELLS)) {
    const terminal = await target.open();
    await quiet(terminal);
    await untilOutput(terminal, 'shell-done', () => terminal.write(`${command}; echo shell'-'done\n`));
    await terminal.close();
    const { bytes, stored } = await newestRecording(hub);
    const percent = (stored / bytes) * 100;
    rows.push({ name, values: [bytes / 1_000, stored / 1_000, percent] });
  }
  return { title: 'Stored size', notes: [], head: ['output, kB', 'stored, kB', 'stored, %'], rows, ratio: false };
}

/** Measures the memory of idle terminals in tunnels and audit. */
async function memory(product: Product): Promise<Report> {
  const rows: Row[] = [];
  for (const policy of ['off', 'required'] as const) {
    await setRecordingPolicy(product.hub, policy);
    rows.push({ name: policy, values: await grown(product) });
  }
  const notes = [
    `Growth of resident memory by ${TERMINALS} idle terminals, of each; the first ones grow the processes as well.`,
  ];
  return { title: 'Memory of an idle terminal', notes, head: ['tunnels, KB', 'audit, KB'], rows, ratio: false };
}

async function grown({ warren: product, hub, deviceId, at }: Product): Promise<number[]> {
  const pids = Object.fromEntries(['tunnels', 'audit'].map((name) => [name, product.process(name).pid]));
  const target = warren(hub, deviceId, at);
  const open: Terminal[] = [];
  const openAll = async () => {
    while (open.length < TERMINALS) {
      const terminal = await target.open();
      await quiet(terminal);
      open.push(terminal);
    }
  };
  const closeAll = async () => {
    await Promise.all(open.splice(0).map((terminal) => terminal.close()));
    await wait(SETTLE_MS);
  };
  // Once without measuring, so that what a process loads for the first one does not count.
  await openAll();
  await closeAll();
  const before = await usages(pids);
  await openAll();
  await wait(SETTLE_MS);
  const after = await usages(pids);
  await closeAll();
  return ['tunnels', 'audit'].map(
    (name) => ((after[name]?.residentBytes ?? 0) - (before[name]?.residentBytes ?? 0)) / TERMINALS / KB,
  );
}

/** Measures what recording costs a terminal, a desktop, the store and memory. */
export const recording: Bench = {
  run: async (lab) => {
    const product = await lab.shared();
    const used = await use(lab, product);
    return [used, await desktops(lab, product), await sizes(product), await memory(product)];
  },
};
