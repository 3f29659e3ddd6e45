import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../lab.ts';
import { usages } from '../probes/processes.ts';
import type { Row } from '../table.ts';

/** Time for work after a start: facts, first lists, garbage. */
const SETTLE_MS = 60_000;
const MEASURED_MS = 60_000;
const MB = 1_000_000;

/** Measures an idle hub with one linked device. */
export const idle: Bench = {
  run: async (lab) => {
    const { warren } = await lab.shared();
    const pids = Object.fromEntries(warren.processes().map((name) => [name, warren.process(name).pid]));
    await sleep(SETTLE_MS);
    const before = await usages(pids);
    await sleep(MEASURED_MS);
    const after = await usages(pids);
    const share = (name: string) => (((after[name]?.cpuS ?? 0) - (before[name]?.cpuS ?? 0)) / MEASURED_MS) * 100_000;
    const rows: Row[] = Object.entries(after).map(([name, { residentBytes }]) => ({
      name,
      values: [share(name), residentBytes / MB],
    }));
    return [
      {
        title: 'An idle hub',
        notes: [
          'One device is linked, no user is signed in. Of a minute, in hundredths of one processor, whose clock counts in 10 ms: 0.02 %.',
          'Resident memory counts what processes share, such as the program file of Node, once for each.',
        ],
        head: ['processor, %', 'resident, MB'],
        rows,
        ratio: false,
      },
    ];
  },
};
