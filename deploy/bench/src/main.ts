import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { benches } from './benches.ts';
import { Lab, type Bench, type Choice, type Report } from './lab.ts';
import { ways } from './simulator/gateways.ts';
import { table } from './table.ts';

const RESULTS = join(import.meta.dirname, '../../../test-results/bench.json');
/** Other work beside the measurement: above this much of it, figures of one run say little. */
const BUSY = 0.5;

const options = {
  rounds: { type: 'string', default: '3' },
  samples: { type: 'string', default: '2000' },
  megabytes: { type: 'string', default: '100' },
  agents: { type: 'string', default: '10000' },
  patience: { type: 'string', default: '180' },
  ways: { type: 'string', default: ways.join() },
} as const;

function readArguments(): { names: string[]; choice: Choice } {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const all = Object.keys(benches);
  const unknown = positionals.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`There is no bench "${unknown}"; there are ${all.join(', ')}.`);
  const numbers = ['rounds', 'samples', 'megabytes', 'agents', 'patience'] as const;
  const [rounds, samples, megabytes, agents, patience] = numbers.map((name) => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} is "${values[name]}", expected 1 or more.`);
    return value;
  }) as [number, number, number, number, number];
  const chosen = ways.filter((way) => values.ways.split(',').includes(way));
  if (chosen.length === 0) throw new Error(`--ways is "${values.ways}", expected some of ${ways.join()}.`);
  const names = positionals.length > 0 ? all.filter((name) => positionals.includes(name)) : all;
  return { names, choice: { rounds, samples, megabytes, agents, patience, ways: chosen } };
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

const { names, choice } = readArguments();
const load = loadavg()[0] ?? 0;
const start = { at: new Date().toISOString(), machine: machine(), load, choice };
console.log(`${start.machine.processors} cores, everything on this machine; medians of ${choice.rounds} rounds.\n`);
if (load > BUSY) console.log(`This machine is busy with something else: its load is ${load.toFixed(1)}.\n`);
const lab = new Lab(choice);
const reports: (Report & { bench: string })[] = [];
try {
  for (const name of names) {
    for (const report of await lab.measure(await (benches[name] as () => Promise<Bench>)())) {
      reports.push({ bench: name, ...report });
      print(report);
    }
  }
} finally {
  await lab.release();
  await mkdir(dirname(RESULTS), { recursive: true });
  await writeFile(RESULTS, JSON.stringify({ ...start, reports }, undefined, 2));
}
