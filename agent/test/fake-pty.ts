import { REPLAY_SLACK, type TerminalLimits } from '../src/terminals/limits.ts';
import type { Pty, PtyExit } from '../src/system/pty.ts';

/** Limits that a few kilobytes of output reach. */
export const smallLimits: TerminalLimits = {
  terminals: 2,
  replay: REPLAY_SLACK + 64 * 1024,
  window: 16 * 1024,
  largestWindow: 16 * 1024,
  readerWindow: 4 * 1024,
  behind: 8 * 1024,
  writers: 2,
  readers: 2,
  sizes: 4,
  message: 4 * 1024,
  input: 10,
  inputMax: 50,
  orphan: 1000,
};

/** A PTY without a program. */
export class FakePty implements Pty {
  readonly pid = 1;
  readonly backlog = 0;
  paused = false;
  sizes: string[] = [];
  onData: (bytes: Uint8Array) => void = () => {};
  onWritable: () => void = () => {};
  onExit: (exit: PtyExit) => void = () => {};
  write(): void {}
  resize({ cols, rows }: { cols: number; rows: number }): void {
    this.sizes.push(`${cols}x${rows}`);
  }
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
  hangUp(): void {}
}
