import { closeSync, existsSync, openSync, readdirSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ReadStream } from 'node:tty';
import { fileURLToPath } from 'node:url';

export interface PtySize {
  cols: number;
  rows: number;
}

/** How a program ended: its exit code, or the number of the signal that ended it (0 for none). */
export interface PtyExit {
  code: number;
  signal: number;
}

/** What is to run on a new PTY. */
export interface PtyCommand {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

/** A program on a pseudo terminal. Its owner sets the three callbacks before the next turn of the event loop. */
export interface Pty {
  readonly pid: number;
  /** Typed bytes that the program has not taken yet. */
  readonly backlog: number;
  /** The bytes are overwritten by the next ones: who wants to keep them copies them. */
  onData: (bytes: Uint8Array) => void;
  /** Some of the backlog has gone. */
  onWritable: () => void;
  /** Called once, after the last output. */
  onExit: (exit: PtyExit) => void;
  write(bytes: Uint8Array): void;
  resize(size: PtySize): void;
  /** Stops reading output, so that the program blocks; lifted by itself when the program has exited. */
  pause(): void;
  resume(): void;
  /** Sends SIGHUP, as a closed terminal window does, until the program is gone, and SIGKILL after a few seconds. */
  hangUp(): void;
}

/** Starts a program for a person on a new PTY. */
export type OpenPty = (terminal: { userEmail: string; term: string; size: PtySize }) => Pty;

/** The native part of node-pty. */
interface Binding {
  fork(
    file: string,
    args: string[],
    env: string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helper: string,
    onExit: (code: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  resize(fd: number, cols: number, rows: number, xPixels: number, yPixels: number): void;
}

/** A terminal of Linux gives 4,095 bytes at most. A read that fills its buffer is followed by the next one at once, without a poll between. */
const READ = 4_095;
/** A shell that was just about to wait or to read has noted a SIGHUP and sleeps on; the next one wakes it. */
const HANG_UP_EVERY_MS = 250;
const KILL_AFTER_MS = 5_000;
/** What an exited program left in the terminal is read until this long has passed without more of it. */
const DRAIN_QUIET_MS = 200;
const RETRY_MIN_MS = 1;
const RETRY_MAX_MS = 50;

/**
 * Loads node-pty's native part and gives a function that starts programs with it.
 *
 * Only the native part is used, since the JavaScript around it spins while a program does not read its input, queues that
 * input without a bound, drops output that is still unread 200 ms after an exit, and has no UTF-8 line editing for byte streams.
 */
export function loadPty(): (command: PtyCommand, size: PtySize) => Pty {
  const require = createRequire(import.meta.url);
  const binding = require(bindingPath(require)) as Binding;
  return (command, size) => new NativePty(binding, command, size);
}

function bindingPath(require: NodeJS.Require): string {
  const packaged = fileURLToPath(new URL('./pty.node', import.meta.url));
  if (existsSync(packaged)) return packaged;
  const platform = `${process.platform}-${process.arch}`;
  // The platform package is a dependency of node-pty, and is found from there.
  const fromNodePty = createRequire(require.resolve('@lydell/node-pty'));
  return join(dirname(fromNodePty.resolve(`@lydell/node-pty-${platform}`)), '..', 'prebuilds', platform, 'pty.node');
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

class NativePty implements Pty {
  readonly pid: number;
  onData: (bytes: Uint8Array) => void = () => {};
  onWritable: () => void = () => {};
  onExit: (exit: PtyExit) => void = () => {};
  #binding: Binding;
  #fd: number;
  #output: ReadStream;
  #input: Uint8Array[] = [];
  #backlog = 0;
  #retry: NodeJS.Timeout | undefined;
  #retryMs = RETRY_MIN_MS;
  #exit: PtyExit | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #hangUps: NodeJS.Timeout | undefined;
  #kill: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(binding: Binding, command: PtyCommand, size: PtySize) {
    this.#binding = binding;
    const env = Object.entries(command.env).map(([name, value]) => `${name}=${value}`);
    const exited = (code: number, signal: number) => this.#exited({ code, signal });
    const { file, args, cwd } = command;
    const forked = withoutGaps(() =>
      binding.fork(file, args, env, cwd, size.cols, size.rows, -1, -1, true, '', exited),
    );
    this.pid = forked.pid;
    this.#fd = forked.fd;
    const buffer = Buffer.allocUnsafeSlow(READ);
    const callback = (length: number) => this.#read(buffer.subarray(0, length));
    this.#output = new ReadStream(forked.fd, { onread: { buffer, callback } });
    this.#output.resume();
    // EIO is how Linux says that the last program has left the terminal.
    this.#output.on('error', () => this.#output.destroy());
    this.#output.on('close', () => this.#outputClosed());
  }

  get backlog(): number {
    return this.#backlog;
  }

  #read(bytes: Uint8Array): boolean {
    this.#quiet?.refresh();
    this.onData(bytes);
    return true;
  }

  write(bytes: Uint8Array): void {
    if (this.#closed || bytes.length === 0) return;
    this.#input.push(bytes);
    this.#backlog += bytes.length;
    if (!this.#retry) this.#flush();
  }

  resize(size: PtySize): void {
    if (!this.#closed) this.#binding.resize(this.#fd, size.cols, size.rows, 0, 0);
  }

  pause(): void {
    if (!this.#exit) this.#output.pause();
  }

  resume(): void {
    this.#output.resume();
  }

  hangUp(): void {
    if (this.#exit || this.#kill) return;
    this.#signal('SIGHUP');
    this.#hangUps = setInterval(() => this.#signal('SIGHUP'), HANG_UP_EVERY_MS);
    this.#kill = setTimeout(() => {
      clearInterval(this.#hangUps);
      this.#signal('SIGKILL');
    }, KILL_AFTER_MS);
    // Output of a paused program would keep it from ever noticing.
    this.#output.resume();
  }

  /** Writes what the terminal takes without blocking; the rest waits, with longer and longer pauses. */
  #flush(): void {
    this.#retry = undefined;
    let piece: Uint8Array | undefined;
    while ((piece = this.#input[0])) {
      const written = this.#writeSome(piece);
      if (written === 0) {
        this.#retry = setTimeout(() => this.#flush(), this.#retryMs);
        this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MAX_MS);
        return;
      }
      this.#retryMs = RETRY_MIN_MS;
      this.#backlog -= written;
      if (written === piece.length) this.#input.shift();
      else this.#input[0] = piece.subarray(written);
      this.onWritable();
    }
  }

  #writeSome(piece: Uint8Array): number {
    if (this.#closed) return piece.length;
    try {
      return writeSync(this.#fd, piece);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
      // EIO: nobody is left to read it.
      return piece.length;
    }
  }

  #exited(exit: PtyExit): void {
    this.#exit = exit;
    clearInterval(this.#hangUps);
    clearTimeout(this.#kill);
    if (this.#closed) return this.onExit(exit);
    this.#quiet = setTimeout(() => this.#output.destroy(), DRAIN_QUIET_MS);
    this.#output.resume();
  }

  #outputClosed(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#quiet);
    this.#input = [];
    this.#backlog = 0;
    if (this.#exit) this.onExit(this.#exit);
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      // The whole process group of the session's leader.
      process.kill(-this.pid, signal);
    } catch {
      // It went by itself in the meantime.
    }
  }
}
