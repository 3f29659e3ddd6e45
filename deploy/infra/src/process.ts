import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from './programs.ts';

/** A user of the operating system that a process runs as. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/** What it takes to run one process, and to know that it is up. */
export interface ProcessSpec {
  name: string;
  command: string;
  args: string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Appended to with the output and the errors of the process. */
  log: string;
  /** The signal that asks it to end in good order; SIGTERM if not given. */
  stopSignal?: NodeJS.Signals;
  /** Milliseconds from the stop signal to SIGKILL; 10 s if not given. */
  stopTimeout?: number;
  /** Runs as this user; only root can choose one. */
  user?: SystemUser | undefined;
  /** A file that it reads as its standard input. */
  stdin?: string;
  /** A folder that it finds open as file 3, `/proc/self/fd/3`, whatever its rights on the folders above. */
  folder?: string;
  /** Rejects for as long as the process does not serve. */
  ready(): Promise<unknown>;
}

/** One run of a process, from its start to its end. */
export interface Running {
  readonly pid: number;
  /** Resolves with a word about how it ended: `code 1`, `SIGKILL`. Never rejects. */
  readonly ended: Promise<string>;
  /** Ends it in good order and waits until it is gone. */
  stop(): Promise<void>;
  kill(signal?: NodeJS.Signals): void;
}

/**
 * setpriv (util-linux) asks the kernel to stop the process when ours dies, however it dies, so none is left behind.
 * It changes the user too: a death signal set before a change of user would be cleared by it.
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

/** The last lines of a log, to say why a process did not come up. */
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

/** Waits until a process serves. Throws, with the end of its log, when it ends first or takes longer than `timeout` ms. */
export async function untilReady(spec: ProcessSpec, running: Running, timeout = 30_000): Promise<void> {
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
