import { readText } from './files.ts';

/** Distinguishes a process from a later one with the same id. */
export interface ProcessMark {
  pid: number;
  /** Clock ticks between boot and the start of the process. */
  started: number;
}

/** The 22nd field of proc_pid_stat(5); the second one, a name in brackets, may contain spaces and brackets. */
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

/** A program started by login(1) or su(1) is a grandchild at most. */
const DEPTH_MAX = 3;

/**
 * The name of the foreground process of the terminal that `pid` was started on; '' if unknown. proc_pid_stat(5):
 * `tpgid` is the foreground process group, -1 for a process that has given its terminal to a child.
 */
export async function foregroundOf(pid: number): Promise<string> {
  let process = pid;
  for (let depth = 0; depth < DEPTH_MAX && process > 0; depth++) {
    const group = parseForeground(await readText(`/proc/${process}/stat`));
    if (group > 0) return (await readText(`/proc/${group}/comm`)).trim();
    process = Number((await readText(`/proc/${process}/task/${process}/children`)).split(' ', 1)[0]);
  }
  return '';
}

/** The 8th field of proc_pid_stat(5); -1 when there is none. */
export function parseForeground(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[5] ?? -1);
}
