import { REPLAY_SLACK, type TerminalLimits } from '../src/terminals/limits.ts';
import type { Keeper, Pin, Pty, PtyExit } from '../src/system/pty.ts';

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
  pinned: 1,
  longestPin: 60_000,
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

/** One whose keeper notes what it hears. */
export class KeptPty extends FakePty implements Keeper {
  readonly keeper = this;
  readonly said: string[] = [];
  readonly hungUp = Promise.withResolvers<true>();
  canPin = true;
  onTyped: (writer: string, count: number) => void = () => {};
  override hangUp(): void {
    this.hungUp.resolve(true);
  }
  seen(offset: number): void {
    this.said.push(`seen ${offset}`);
  }
  note(note: Uint8Array): void {
    this.said.push(`note ${Buffer.from(note).toString()}`);
  }
  pin({ seconds, left = Infinity }: Pin): void {
    this.said.push(`pin ${seconds} ${left}`);
  }
  forget(): void {
    this.said.push('forget');
  }
  leave(): void {
    this.said.push('leave');
  }
}
