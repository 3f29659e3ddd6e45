import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { failure } from '@warren/local/failure';
import { benches } from './benches.ts';
import { readChoice } from './choice.ts';
import { Lab, type Bench, type Report } from './lab.ts';
import { table } from './table.ts';

const RESULTS = join(import.meta.dirname, '../../../test-results/bench.json');
/** Load of other processes above which a single run is unreliable. */
const BUSY = 0.5;

class Interrupted extends Error {}

/** Rejects on a signal to stop; a second signal ends the process at once. */
function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(new Interrupted(signal)));
  });
}

function print({ title, notes, head, rows, ratio }: Report): void {
  console.log(`## ${title}\n\n${table(head, rows, ratio === undefined ? {} : { ratio })}\n`);
  for (const note of notes) console.log(`${note}\n`);
}

function machine() {
  const [first] = cpus();
  return {
    processors: cpus().length,
    model: first?.model,
    memoryBytes: totalmem(),
    kernel: release(),
    node: process.version,
  };
}

async function measureAll(lab: Lab, names: string[], reports: (Report & { bench: string })[]): Promise<void> {
  for (const name of names) {
    for (const report of await lab.measure(await (benches[name] as () => Promise<Bench>)())) {
      reports.push({ bench: name, ...report });
      print(report);
    }
  }
}

const { names, choice } = readChoice(process.argv.slice(2), Object.keys(benches));
const load = loadavg()[0] ?? 0;
const start = { at: new Date().toISOString(), machine: machine(), load, choice };
console.log(`${start.machine.processors} cores, everything on this machine; medians of ${choice.rounds} rounds.\n`);
console.log(
  choice.way === 'tunnels'
    ? "The device's link, its sockets and its pages go straight to tunnels, as the chart and Compose lead them.\n"
    : "The device's link, its sockets and its pages go through the gateway.\n",
);
if (load > BUSY) console.log(`This machine is busy with something else: its load is ${load.toFixed(1)}.\n`);
const lab = new Lab(choice);
const reports: (Report & { bench: string })[] = [];
try {
  await Promise.race([measureAll(lab, names, reports), interruption()]);
} catch (error) {
  if (!(error instanceof Interrupted)) process.stderr.write(`\n${failure(error)}\n`);
  process.exitCode = error instanceof Interrupted ? 130 : 1;
} finally {
  await lab.end();
  await lab.release();
  await mkdir(dirname(RESULTS), { recursive: true });
  await writeFile(RESULTS, JSON.stringify({ ...start, reports }, undefined, 2));
}
// Interrupted work may still wait for something that has ended.
if (process.exitCode === 130) process.exit();
