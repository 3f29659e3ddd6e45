import { readFile } from 'node:fs/promises';
import { expect, measured } from './test.ts';
import type { ProcessName } from '../stack/facts.ts';
import type { Warren } from './warren.ts';

export const MiB = 1024 ** 2;
/** Maximum growth of a process, for any traffic. */
const BOUND = 64 * MiB;
const LOOK_MS = 200;

/** Resident bytes of a process. */
async function resident(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** Resident bytes of every process that bytes of a session pass through. */
async function memory(warren: Warren): Promise<Record<string, number>> {
  const pids = await warren.pids();
  const { gateway, tunnels } = warren.facts.runs;
  const names = new Set([gateway, tunnels, 'agent'] as ProcessName[]);
  const sizes = await Promise.all([...names].map(async (name) => [name, await resident(pids[name])] as const));
  return Object.fromEntries(sizes);
}

/**
 * Runs work, and checks the growth of every process meanwhile.
 * @param what name for the report
 */
export async function expectFlat(warren: Warren, what: string, work: () => Promise<void>): Promise<void> {
  const before = await memory(warren);
  const most = { ...before };
  const look = async () => {
    for (const [name, size] of Object.entries(await memory(warren))) most[name] = Math.max(most[name] ?? 0, size);
  };
  let looking = Promise.resolve();
  const timer = setInterval(() => (looking = looking.then(look)), LOOK_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await looking;
  }
  await look();
  for (const [name, size] of Object.entries(most)) {
    const grown = size - (before[name] ?? 0);
    measured(`${name}: ${what}, growth`, grown / MiB, 'MiB');
    expect(grown, name).toBeLessThan(BOUND);
  }
}
