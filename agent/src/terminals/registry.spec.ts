import { beforeEach, describe, expect, it } from '@jest/globals';
import { Recording } from '@warren/proto/agent/v1/agent';
import pino from 'pino';
import { KeptPty } from '../../test/fake-pty.ts';
import type { Pty, PtyExit } from '../system/pty.ts';
import { newState, parseNote } from './kept.ts';
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

  const own = { ...newState('kept', 'u', 'u@example.com', size), startedAt: 5 };
  const kept = { ...own, start: 100, seen: 100 };

  it('takes over a terminal as it was, and acknowledges input when its keeper has it', () => {
    const pty = new KeptPty();
    const adopted = registry.adopt({ ...kept, typed: [['screen', 7]] }, pty);
    expect(adopted).toMatchObject({ id: 'kept', startedAt: 5, size });
    pty.onData(Buffer.from('hello'));
    const attachment = registry.attach('kept', { userId: 'u', offset: 102, size, writer: 'screen' });
    expect(attachment.take()).toMatchObject({ kind: 'data', offset: 102, data: Buffer.from('llo') });
    attachment.type(Buffer.from('abc'));
    expect(adopted.typed.of('screen')).toBe(7);
    pty.onTyped('screen', 10);
    expect(adopted.typed.of('screen')).toBe(10);
    attachment.end();
    expect(() => registry.attach('kept', { userId: 'stranger', offset: 102, size })).toThrow('this terminal has ended');
  });

  it('ends a terminal that was taken over and to which nobody comes back', async () => {
    const pty = new KeptPty();
    registry.adopt(kept, pty);
    await pty.hungUp.promise;
    expect(pty.said).toContain('forget');
    expect(registry.size).toBe(0);
  });

  const recorded = { ...kept, record: Recording.REQUIRED, sizes: [[90, 80, 24] as [number, number, number]] };
  const noted = ({ said }: KeptPty) => {
    const last = said.findLast((what) => what.startsWith('note '));
    return last === undefined ? undefined : parseNote(Buffer.from(last.slice(5)));
  };

  it('lets a keeper drop what a writer has drawn, but nothing that must be recorded', () => {
    const pty = new KeptPty();
    const adopted = registry.adopt(recorded, pty);
    const writer = registry.attach('kept', { userId: 'u', offset: 100, size });
    pty.onData(Buffer.alloc(50));
    writer.take();
    adopted.acknowledge(writer, 150);
    expect(pty.said.at(-1)).toBe('seen 100');
    const recorder = registry.attach('kept', { userId: 'u', offset: 100, role: 'recorder' });
    expect(recorder.take()).toMatchObject({ kind: 'data', offset: 100 });
    adopted.store(recorder, 130);
    expect(pty.said.at(-1)).toBe('seen 130');
  });

  it('notes for a later agent how a terminal is recorded, and which sizes it has had', () => {
    const pty = new KeptPty();
    registry.adopt(kept, pty);
    const writer = registry.attach('kept', { userId: 'u', offset: 100, size, record: Recording.BEST_EFFORT });
    expect(noted(pty)).toMatchObject({ userId: 'u', startedAt: 5, record: Recording.BEST_EFFORT, isClosed: false });
    pty.onData(Buffer.alloc(50));
    writer.terminal.resize(writer, { cols: 100, rows: 30 });
    const after = noted(pty)!;
    expect(after.sizes).toEqual([
      [100, 80, 24],
      [150, 100, 30],
    ]);
    const again = registry.adopt({ ...kept, ...after, id: 'again', size: { cols: 100, rows: 30 } }, new KeptPty());
    expect(again.recorded.at(149)?.size).toEqual(size);
    expect(again.recorded.at(150)?.size).toEqual({ cols: 100, rows: 30 });
  });

  it('refuses new terminals rather than forget what must be recorded', () => {
    for (const id of ['one', 'two']) registry.adopt({ ...recorded, id, isClosed: true }, new KeptPty());
    expect(() => registry.create(terminal)).toThrow(
      'this device has 0 open terminals and 2 whose recording is not stored yet, which is the most it allows',
    );
    const bestEffort = { ...recorded, record: Recording.BEST_EFFORT, isClosed: true };
    const pty = new KeptPty();
    registry = new TerminalRegistry(
      () => new FakePty(),
      { ...DEFAULT_LIMITS, terminals: 1 },
      pino({ level: 'silent' }),
    );
    registry.adopt(bestEffort, pty);
    registry.create(terminal);
    expect(pty.said).toContain('forget');
  });

  it('keeps an ended terminal for its recorder alone, also after a restart of the agent', () => {
    const before = new KeptPty();
    registry.adopt(recorded, before);
    registry.end({}, 'test');
    expect(noted(before)).toMatchObject({ isClosed: true, record: Recording.REQUIRED });
    expect(before.said).not.toContain('forget');
    const pty = new KeptPty();
    const adopted = registry.adopt({ ...recorded, id: 'later', isClosed: true }, pty);
    expect(registry.list({})).toEqual([]);
    expect(() => registry.attach('later', { userId: 'u', offset: 100 })).toThrow('this terminal has ended');
    pty.onData(Buffer.alloc(50));
    pty.onExit({ code: 3, signal: 0 });
    const recorder = registry.attach('later', { userId: 'u', offset: 100, role: 'recorder' });
    expect(recorder.take()).toMatchObject({ kind: 'data', offset: 100 });
    expect(recorder.take()).toMatchObject({ kind: 'exit', exit: { code: 3 } });
    adopted.store(recorder, 150);
    expect(pty.said).toContain('forget');
  });

  it('waits for no recorder that has stored all of a terminal before a restart of the agent', () => {
    const pty = new KeptPty();
    const before = registry.adopt(recorded, pty);
    const recorder = registry.attach('kept', { userId: 'u', offset: 100, role: 'recorder' });
    pty.onData(Buffer.alloc(50));
    pty.onExit({ code: 0, signal: 0 });
    expect([recorder.take()?.kind, recorder.take()?.kind]).toEqual(['data', 'exit']);
    before.store(recorder, 150);
    // Its person has not seen the end.
    expect([pty.said.includes('forget'), registry.size]).toEqual([false, 1]);
    const state = { ...recorded, ...noted(pty)! };
    const after = new KeptPty();
    registry.adopt({ ...state, id: 'seen later' }, after);
    expect(registry.size).toBe(2);
    registry.end({ id: 'seen later' }, 'test');
    expect(after.said).toContain('forget');
    const closed = new KeptPty();
    registry.adopt({ ...state, id: 'closed', isClosed: true }, closed);
    expect(closed.said).toContain('forget');
  });

  it('leaves kept terminals to the next agent when it closes, and ends the others', async () => {
    const pty = new KeptPty();
    registry.adopt(kept, pty);
    registry.create(terminal);
    expect([registry.running, registry.bound]).toEqual([2, 1]);
    registry.closeAll();
    await made[0]!.hungUp.promise;
    expect(pty.said.slice(-1)).toEqual(['leave']);
  });
});
