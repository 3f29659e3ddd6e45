import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Pty, PtyExit } from '../system/pty.ts';
import { newState } from './kept.ts';
import { REPLAY_SLACK, type TerminalLimits } from './limits.ts';
import { Terminal } from './terminal.ts';

const limits: TerminalLimits = {
  terminals: 2,
  replay: REPLAY_SLACK + 1000,
  window: 100,
  largestWindow: 100,
  readerWindow: 50,
  behind: 200,
  writers: 2,
  readers: 2,
  sizes: 4,
  message: 64,
  input: 10,
  inputMax: 50,
  orphan: 1000,
  pinned: 1,
  longestPin: 60_000,
};

class FakePty implements Pty {
  readonly pid = 1;
  backlog = 0;
  paused = false;
  onData: (bytes: Uint8Array) => void = () => {};
  onWritable: () => void = () => {};
  onExit: (exit: PtyExit) => void = () => {};
  write(bytes: Uint8Array): void {
    this.backlog += bytes.length;
  }
  resize(): void {}
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
  hangUp(): void {}
  print(count: number): void {
    this.onData(Buffer.alloc(count, 'x'));
  }
}

describe('Terminal', () => {
  let pty: FakePty;
  let events: string[];
  let terminal: Terminal;

  beforeEach(() => {
    pty = new FakePty();
    events = [];
    terminal = new Terminal(newState('s', 'u', 'u@example.com', { cols: 80, rows: 24 }), pty, limits, {
      detached: () => events.push('detached'),
      deserted: () => events.push('deserted'),
      finished: () => events.push('finished'),
      recorded: () => events.push('recorded'),
    });
  });

  it('pauses the program at a window of unacknowledged output, and resumes it at half', async () => {
    const attachment = terminal.attach(0);
    pty.print(99);
    expect(pty.paused).toBe(false);
    pty.print(1);
    expect(pty.paused).toBe(true);
    attachment.take();
    attachment.take();
    expect(attachment.sent).toBe(100);
    terminal.acknowledge(attachment, 49);
    expect(pty.paused).toBe(true);
    terminal.acknowledge(attachment, 50);
    expect(pty.paused).toBe(false);
  });

  it('sends no more than the window', async () => {
    const attachment = terminal.attach(0);
    pty.print(500);
    const sizes: number[] = [];
    for (let event = attachment.take(); event; event = attachment.take()) {
      if (event.kind === 'data') sizes.push(event.data.length);
    }
    expect(sizes).toEqual([64, 36]);
    terminal.acknowledge(attachment, 100);
    expect(attachment.take()).toMatchObject({ kind: 'data', offset: 100 });
  });

  it('ignores acknowledgements of unsent output', () => {
    const attachment = terminal.attach(0);
    pty.print(100);
    terminal.acknowledge(attachment, 1_000_000);
    expect(attachment.allowed).toBe(100);
  });

  it('keeps a detached program running until unseen output fills the replay buffer', () => {
    terminal.attach(0).end();
    pty.print(999);
    expect(pty.paused).toBe(false);
    pty.print(1);
    expect(pty.paused).toBe(true);
    terminal.attach(1000);
    expect(pty.paused).toBe(false);
  });

  it('begins at the start of the buffer for an older offset', () => {
    terminal.attach(0);
    pty.print(limits.replay + 10);
    expect(terminal.attach(0).from).toBe(10);
  });

  it('refuses a future offset', () => {
    expect(() => terminal.attach(1)).toThrow("offset 1 lies beyond the terminal's output, which ends at 0");
  });

  it('limits pending input, and accepts acknowledgements while the program is paused', async () => {
    const attachment = terminal.attach(0);
    terminal.write(Buffer.alloc(50));
    expect(() => terminal.write(Buffer.alloc(1))).toThrow('more than 50 bytes are waiting');
    let welcome = false;
    const room = terminal.room.wait().then(() => (welcome = true));
    await Promise.resolve();
    expect(welcome).toBe(false);
    pty.print(100);
    await room;
    expect(welcome).toBe(true);
    expect(attachment.sent).toBe(0);
  });

  it('is finished only after the browser has drawn all output', async () => {
    const first = terminal.attach(0);
    pty.print(10);
    pty.onExit({ code: 0, signal: 0 });
    expect([first.take()?.kind, first.take()?.kind, first.take()]).toEqual(['data', 'exit', undefined]);
    expect(events).toEqual(['detached']);
    const second = terminal.attach(10);
    expect([second.take()?.kind, second.take()]).toEqual(['exit', undefined]);
    expect(events).toEqual(['detached', 'finished']);
  });
});
