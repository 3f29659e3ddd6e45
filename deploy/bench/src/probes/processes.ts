import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks a second: what Linux reports processor time in, on every machine. */
const TICKS = 100;
const PAGE = 4096;

/** What a process has used so far, with the processes that it started, also those that have ended. */
export interface Usage {
  /** Seconds of processor time. */
  cpuS: number;
  /** Bytes of memory that are resident. */
  residentBytes: number;
}

interface Stat extends Usage {
  pid: number;
  parent: number;
}

/** Reads `/proc` (proc(5)) once for several processes; one that is not there has used nothing. */
export async function usages(pids: Record<string, number>): Promise<Record<string, Usage>> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = (await Promise.all(numbers.map(read))).filter((stat) => stat !== undefined);
  const children = Map.groupBy(stats, ({ parent }) => parent);
  const byPid = new Map(stats.map((stat) => [stat.pid, stat]));
  const total = (pid: number): Usage => {
    const own = byPid.get(pid);
    const parts = [...(own ? [own] : []), ...(children.get(pid) ?? []).map((child) => total(child.pid))];
    return {
      cpuS: parts.reduce((sum, { cpuS }) => sum + cpuS, 0),
      residentBytes: parts.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
    };
  };
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, total(pid)]));
}

async function read(pid: number): Promise<Stat | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The name in brackets may hold anything.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  // Of itself, and of its children that have ended: PostgreSQL ends the processes of connections that pools close.
  const ticks = fields.slice(11, 15).reduce((sum, some) => sum + some, 0);
  return { pid, parent: fields[1] ?? 0, cpuS: ticks / TICKS, residentBytes: (fields[21] ?? 0) * PAGE };
}
