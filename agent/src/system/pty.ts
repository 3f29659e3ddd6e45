import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PtySize {
  cols: number;
  rows: number;
}

/** How a program ended: its exit code, or the number of the signal that ended it (0 for none). */
export interface PtyExit {
  code: number;
  signal: number;
  /** The exit in words for the person at the terminal, where the number is not enough. */
  why?: string;
}

/** The program to run on a new PTY. */
export interface PtyCommand {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

/** Where input belongs among what its writer types. */
export interface InputPlace {
  /** If empty, the input is not counted. */
  writer: string;
  offset: number;
}

/** How long a terminal is kept without a writer, in seconds. */
export interface Pin {
  /** 0 if it is not pinned. */
  seconds: number;
  /** What is left of it; undefined while a writer is attached. */
  left: number | undefined;
}

/** The part of a terminal that outlives the agent. */
export interface Keeper {
  /** Called with the count of a writer's bytes that can't be lost any more. */
  onTyped: (writer: string, count: number) => void;
  /** Output before `offset` may be lost. */
  seen(offset: number): void;
  /** A later agent gets `note` back, in place of the former one; see KEEPER_NOTE for its size. */
  note(note: Uint8Array): void;
  /** False for a keeper of an older version, and until it has answered. */
  readonly canPin: boolean;
  /** Keeps the program for another time without an agent. */
  pin(pin: Pin): void;
  /** Nobody will ask for the exit again. */
  forget(): void;
  /** Leaves the program to a later agent. */
  leave(): void;
}

/** A program on a pseudo terminal. Its owner sets the three callbacks before the next turn of the event loop. */
export interface Pty {
  /** 0 until the program has started. */
  readonly pid: number;
  /** Typed bytes that the program has not read yet. */
  readonly backlog: number;
  /** Undefined if the program ends with the agent. */
  readonly keeper?: Keeper | undefined;
  /** The bytes are overwritten by the next ones: copy them to keep them. */
  onData: (bytes: Uint8Array) => void;
  /** The backlog has shrunk. */
  onWritable: () => void;
  /** Called once, after the last output. */
  onExit: (exit: PtyExit) => void;
  write(bytes: Uint8Array, place: InputPlace): void;
  resize(size: PtySize): void;
  /** Stops reading output, so that the program blocks; ends automatically when the program has exited. */
  pause(): void;
  resume(): void;
  /** Sends SIGHUP, as a closed terminal window does, until the program is gone, and SIGKILL after a few seconds. */
  hangUp(): void;
}

/** The parts of a new PTY. */
export interface NewPty {
  /** Of the terminal. */
  id: string;
  userEmail: string;
  term: string;
  size: PtySize;
  /** What a later agent gets back. */
  note: Uint8Array;
}

/** Starts a program for a person on a new PTY. */
export type OpenPty = (terminal: NewPty) => Pty;

/** The native part of node-pty. */
export interface PtyBinding {
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
  /** A terminal without a program: file descriptors of both ends, and the path of the program's. */
  open(cols: number, rows: number): { master: number; slave: number; pty: string };
  resize(fd: number, cols: number, rows: number, xPixels: number, yPixels: number): void;
}

/**
 * Loads node-pty's native part.
 *
 * Only the native part is used: the JavaScript around it spins while a program does not read its input, queues that
 * input without a limit, drops output that is still unread 200 ms after an exit, and has no UTF-8 line editing for byte streams.
 */
export function loadPtyBinding(): PtyBinding {
  const require = createRequire(import.meta.url);
  return require(bindingPath(require)) as PtyBinding;
}

function bindingPath(require: NodeJS.Require): string {
  const packaged = fileURLToPath(new URL('./pty.node', import.meta.url));
  if (existsSync(packaged)) return packaged;
  const platform = `${process.platform}-${process.arch}`;
  // The platform package is a dependency of node-pty, and is resolved from there.
  const fromNodePty = createRequire(require.resolve('@lydell/node-pty'));
  return join(dirname(fromNodePty.resolve(`@lydell/node-pty-${platform}`)), '..', 'prebuilds', platform, 'pty.node');
}
