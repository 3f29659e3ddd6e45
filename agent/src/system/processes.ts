import { readText } from './facts.ts';

/** A process that can be told from a later one with the same id. */
export interface ProcessMark {
  pid: number;
  /** Clock ticks between boot and the start of the process. */
  started: number;
}

/** The 22nd field of proc_pid_stat(5); the second one, a name in brackets, may hold spaces and brackets itself. */
export function parseStartTicks(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[19] ?? NaN);
}

/** The mark of a running process, or undefined when there is none with that id. */
export async function markOf(pid: number): Promise<ProcessMark | undefined> {
  const started = parseStartTicks(await readText(`/proc/${pid}/stat`));
  return Number.isNaN(started) ? undefined : { pid, started };
}

/** Whether the process with this mark still runs. */
export async function isRunning(mark: ProcessMark): Promise<boolean> {
  return (await markOf(mark.pid))?.started === mark.started;
}
