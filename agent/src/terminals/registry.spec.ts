import { beforeEach, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import type { Pty, PtyExit } from '../system/pty.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { TerminalRegistry } from './registry.ts';

class FakePty implements Pty {
  readonly pid = 1;
  readonly backlog = 0;
  onData: (bytes: Uint8Array) => void = () => {};
  onWritable: () => void = () => {};
  onExit: (exit: PtyExit) => void = () => {};
  readonly hungUp = Promise.withResolvers<true>();
  write(): void {}
  resize(): void {}
  pause(): void {}
  resume(): void {}
  hangUp(): void {
    this.hungUp.resolve(true);
  }
}

const size = { cols: 80, rows: 24 };
const terminal = { userId: 'u', userEmail: 'u@example.com', term: 'xterm', size };

describe('TerminalRegistry', () => {
  let made: FakePty[];
  let registry: TerminalRegistry;

  beforeEach(() => {
    made = [];
    const open = () => {
      made.push(new FakePty());
      return made.at(-1)!;
    };
    registry = new TerminalRegistry(open, { ...DEFAULT_LIMITS, terminals: 2, orphan: 20 }, pino({ level: 'silent' }));
  });

  it('logs who opened, left and ended a terminal', () => {
    const logged: object[] = [];
    const log = pino({}, { write: (line) => logged.push(JSON.parse(line)) });
    const kept = new TerminalRegistry(() => new FakePty(), DEFAULT_LIMITS, log);
    const attachment = kept.create(terminal);
    const { id } = attachment.terminal;
    attachment.end();
    kept.attach(id, { userId: 'u', offset: 0, size });
    kept.end({ id }, 'closed by its user');
    const user = 'u@example.com';
    expect(logged).toMatchObject([
      { msg: 'terminal opened', terminal: id, user },
      { msg: 'terminal detached', terminal: id, user },
      { msg: 'terminal attached', terminal: id, user },
      { msg: 'terminal ended', terminal: id, user, why: 'closed by its user' },
    ]);
  });

  it('ends a terminal without an attachment', async () => {
    registry.create(terminal).end();
    await made[0]!.hungUp.promise;
    expect(registry.size).toBe(0);
  });

  it('keeps one that is attached again', async () => {
    const first = registry.create(terminal);
    const lost = registry.create(terminal);
    first.end();
    const again = registry.attach(first.terminal.id, { userId: 'u', offset: 0, size });
    lost.end();
    // Both waits began in this turn; the second one has run out.
    await made[1]!.hungUp.promise;
    expect(registry.size).toBe(1);
    expect(again.terminal).toBe(first.terminal);
  });

  it('has a limit, and a free place after a program has exited without an attachment', () => {
    const first = registry.create(terminal);
    registry.create(terminal);
    expect(() => registry.create(terminal)).toThrow('this device has 2 open terminals, which is the most it allows');
    made[0]!.onExit({ code: 0, signal: 0 });
    expect(() => registry.create(terminal)).toThrow('this device has 2 open terminals');
    first.end();
    registry.create(terminal);
    expect(registry.size).toBe(2);
  });

  it("reveals nothing of another person's terminal", () => {
    const mine = registry.create(terminal).terminal;
    const ended = 'this terminal has ended';
    expect(() => registry.attach(mine.id, { userId: 'stranger', offset: 0, size })).toThrow(ended);
    expect(() => registry.attach(mine.id, { userId: 'stranger', offset: 0, role: 'reader' })).toThrow(ended);
    expect(() => registry.attach('nonsense', { userId: 'u', offset: 0, size })).toThrow(ended);
  });

  it('refuses new terminals once it closes', async () => {
    registry.create(terminal);
    registry.closeAll();
    await made[0]!.hungUp.promise;
    expect(() => registry.create(terminal)).toThrow('the agent is stopping');
  });
});
