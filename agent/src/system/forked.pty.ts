import { closeSync, openSync, readdirSync } from 'node:fs';
import { loadPtyBinding, type Pty, type PtyBinding, type PtyCommand, type PtyExit, type PtySize } from './pty.ts';
import { PtyMaster } from './pty.master.ts';

/** A shell that was about to block may miss a SIGHUP; the next one wakes it. */
const HANG_UP_EVERY_MS = 250;
const KILL_AFTER_MS = 5_000;

/** Makes a function that starts programs as the agent's own children. */
export function loadPty(): (command: PtyCommand, size: PtySize) => Pty {
  const binding = loadPtyBinding();
  return (command, size) => {
    const forked = { exited: (_exit: PtyExit) => {} };
    const { fd, pid } = fork(binding, command, size, (exit) => forked.exited(exit));
    const pty = new ForkedPty(binding, fd, pid);
    forked.exited = (exit) => pty.ended(exit);
    return pty;
  };
}

function fork(binding: PtyBinding, command: PtyCommand, size: PtySize, exited: (exit: PtyExit) => void) {
  const env = Object.entries(command.env).map(([name, value]) => `${name}=${value}`);
  const { file, args, cwd } = command;
  return withoutGaps(() =>
    binding.fork(file, args, env, cwd, size.cols, size.rows, -1, -1, true, '', (code, signal) =>
      exited({ code, signal }),
    ),
  );
}

/**
 * Runs `fork` while the table of file descriptors has no gaps. The native part marks inherited descriptors close-on-exec only
 * up to the first gap, so with one the new program would inherit the terminals of other people.
 */
function withoutGaps<T>(fork: () => T): T {
  const highest = Math.max(...readdirSync('/proc/self/fd').map(Number));
  const fillers: number[] = [];
  try {
    for (let fd = -1; fd < highest; fillers.push(fd)) fd = openSync('/dev/null', 'r');
    return fork();
  } finally {
    for (const fd of fillers) closeSync(fd);
  }
}

/** A program that is a child of the agent. */
class ForkedPty extends PtyMaster {
  readonly pid: number;
  private hangUps: NodeJS.Timeout | undefined;
  private kill: NodeJS.Timeout | undefined;

  constructor(binding: PtyBinding, fd: number, pid: number) {
    super(binding, fd);
    this.pid = pid;
  }

  ended(exit: PtyExit): void {
    clearInterval(this.hangUps);
    clearTimeout(this.kill);
    this.exited(exit);
  }

  hangUp(): void {
    if (this.exit || this.kill) return;
    this.signal('SIGHUP');
    this.hangUps = setInterval(() => this.signal('SIGHUP'), HANG_UP_EVERY_MS);
    this.kill = setTimeout(() => {
      clearInterval(this.hangUps);
      this.signal('SIGKILL');
    }, KILL_AFTER_MS);
    // Output of a paused program would hide its exit.
    this.resume();
  }

  private signal(signal: NodeJS.Signals): void {
    try {
      // The whole process group of the session's leader.
      process.kill(-this.pid, signal);
    } catch {
      // It exited in the meantime.
    }
  }
}
