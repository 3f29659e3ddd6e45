import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from './programs.ts';

/** Against hanging only: on a busy machine all services in one process need half a minute. */
const READY_MS = 120_000;

/** An operating system user of a process. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/** The plan of a process, and of its readiness. */
export interface ProcessSpec {
  name: string;
  command: string;
  args: string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Log file of the process, appended to. */
  log: string;
  /** Signal for a graceful stop; defaults to SIGTERM. */
  stopSignal?: NodeJS.Signals;
  /** Milliseconds from the stop signal to SIGKILL; defaults to 10 s. */
  stopTimeout?: number;
  /** User of the process; only root can set it. */
  user?: SystemUser | undefined;
  /** File for its standard input. */
  stdin?: string;
  /** A folder that it has open as file descriptor 3, `/proc/self/fd/3`, independent of its access to the folders above. */
  folder?: string;
  /** Rejects until the process is ready. */
  ready(): Promise<unknown>;
}

/** A running process. */
export interface Running {
  readonly pid: number;
  /** Resolves with its exit: `code 1`, `SIGKILL`. Never rejects. */
  readonly ended: Promise<string>;
  /** Stops it gracefully, and waits for its end. */
  stop(): Promise<void>;
  kill(signal?: NodeJS.Signals): void;
}

/**
 * setpriv (util-linux) has the kernel stop the process when this one dies for any reason, so none is left behind. It also changes the
 * user, which would clear an earlier death signal.
 */
function commandLine(spec: ProcessSpec): { command: string; args: string[]; user?: SystemUser } {
  const setpriv = findProgram('setpriv');
  const { command, args, user } = spec;
  if (!setpriv) return user ? { command, args, user } : { command, args };
  const identity = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : [];
  const signal = (spec.stopSignal ?? 'SIGTERM').replace('SIG', '');
  return { command: setpriv, args: [...identity, '--pdeathsig', signal, '--', command, ...args] };
}

function open(files: number[], path: string | undefined, flags: string): number | 'ignore' {
  if (path === undefined) return 'ignore';
  const file = openSync(path, flags, 0o600);
  files.push(file);
  return file;
}

/** Starts a process in a separate session, so that Ctrl-C at the terminal reaches only the supervisor, which stops it in order. */
export function launch(spec: ProcessSpec): Running {
  const files: number[] = [];
  let child: ChildProcess;
  try {
    const log = open(files, spec.log, 'a');
    const stdio = [open(files, spec.stdin, 'r'), log, log, open(files, spec.folder, 'r')];
    const { command, args, user } = commandLine(spec);
    child = spawn(command, args, { cwd: spec.cwd, env: spec.env ?? process.env, detached: true, stdio, ...user });
  } finally {
    files.forEach(closeSync);
  }
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  const kill = (signal: NodeJS.Signals = 'SIGKILL') => void child.kill(signal);
  const stop = async () => {
    kill(spec.stopSignal ?? 'SIGTERM');
    const late = setTimeout(kill, spec.stopTimeout ?? 10_000);
    await ended;
    clearTimeout(late);
  };
  return { pid: child.pid ?? 0, ended, stop, kill };
}

/** Returns the last lines of a log, to explain a failed start. */
export async function lastLines(path: string, count = 5): Promise<string> {
  const file = await openFile(path).catch(() => undefined);
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const length = Math.min(size, 8192);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8').trimEnd().split('\n').slice(-count).join('\n');
  } finally {
    await file.close();
  }
}

/** Waits until a process is ready. Throws with the end of its log if it ends first or takes longer than `timeout` ms. */
export async function untilReady(spec: ProcessSpec, running: Running, timeout = READY_MS): Promise<void> {
  const deadline = Date.now() + timeout;
  let end: string | undefined;
  void running.ended.then((how) => (end = how));
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 200)) {
    const refused = await spec.ready().then(
      () => undefined,
      (error: Error) => error,
    );
    if (end) throw new Error(`${spec.name} ended (${end}) before it was ready: ${await lastLines(spec.log)}`);
    if (!refused) return;
    if (Date.now() > deadline) {
      throw new Error(
        `${spec.name} is not ready after ${timeout / 1000} s: ${refused.message}; its log is ${spec.log}`,
      );
    }
    await sleep(pause);
  }
}
