import type { Warren } from '@warren/local/warren';
import { usages } from './processes.ts';

/** The processes of Warren that bytes go through on their way between browser and device. */
export const ON_THE_WAY = ['gateway', 'tunnels', 'agent'] as const;

/** Seconds of processor time that some work took: of each process on the way, and of this one, which plays the browser. */
export async function processorTime(warren: Warren, work: () => Promise<unknown>): Promise<number[]> {
  const pids = Object.fromEntries(ON_THE_WAY.map((name) => [name, warren.process(name).pid]));
  const before = await usages(pids);
  const mine = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(mine);
  const after = await usages(pids);
  const theirs = ON_THE_WAY.map((name) => (after[name]?.cpuS ?? 0) - (before[name]?.cpuS ?? 0));
  return [...theirs, (user + system) / 1e6];
}
