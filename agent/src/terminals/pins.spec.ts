import { Code, ConnectError } from '@connectrpc/connect';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { ChangeTerminalRequestSchema } from '@warren/proto/agent/v1/agent';
import pino from 'pino';
import { FakePty, KeptPty } from '../../test/fake-pty.ts';
import { until } from '@warren/infra/until';
import type { Pty } from '../system/pty.ts';
import { changeTerminal } from './change.ts';
import { newState, parseNote } from './kept.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { listTerminals, pinOwners } from './list.ts';
import { TerminalRegistry } from './registry.ts';

const size = { cols: 80, rows: 24 };
const wanted = { userId: 'u', userEmail: 'u@example.com', term: 'xterm', size };
const ORPHAN = 20;

describe('pins and names of terminals', () => {
  let made: KeptPty[];
  let next: () => Pty;
  let registry: TerminalRegistry;

  beforeEach(() => {
    made = [];
    next = () => {
      const pty = new KeptPty();
      made.push(pty);
      return pty;
    };
    const limits = { ...DEFAULT_LIMITS, orphan: ORPHAN, pinned: 2 };
    registry = new TerminalRegistry(() => next(), limits, pino({ level: 'silent' }));
  });

  const change = (session: string, what: { name?: string; pinS?: number; userId?: string }) =>
    changeTerminal(
      registry,
      create(ChangeTerminalRequestSchema, { userId: 'u', userEmail: 'u@example.com', session, ...what }),
    );
  const codeOf = async (asked: Promise<unknown>) =>
    asked.then(
      () => 'no error',
      (error: unknown) => Code[ConnectError.from(error).code],
    );
  const listed = async () => (await listTerminals(registry, { userId: 'u' })).terminals;

  it('keeps a pinned terminal while others end', async () => {
    const pinned = registry.create(wanted);
    const other = registry.create(wanted);
    await change(pinned.terminal.id, { pinS: 60 });
    pinned.end();
    other.end();
    await made[1]!.hungUp.promise;
    expect(await listed()).toMatchObject([{ session: pinned.terminal.id, pinS: 60, leftS: 60 }]);
    expect(made[0]!.said.at(-1)).toBe('pin 60 60');
    await change(pinned.terminal.id, { pinS: 0 });
    await made[0]!.hungUp.promise;
    expect(registry.size).toBe(0);
  });

  it('ends when its pin is over, and counts it from the last detachment', async () => {
    const { terminal } = registry.create(wanted);
    await change(terminal.id, { pinS: 1 });
    expect(made[0]!.said.at(-1)).toBe('pin 1 Infinity');
    registry.attach(terminal.id, { ...wanted, offset: 0 }).end();
    expect(made[0]!.said.at(-1)).toBe('pin 1 1');
    await made[0]!.hungUp.promise;
    expect(registry.size).toBe(0);
  });

  it('ends as others after its program, when its person asks, and when the device is deleted', async () => {
    const [exited, asked, deleted] = [registry.create(wanted), registry.create(wanted), registry.create(wanted)];
    await change(exited.terminal.id, { pinS: 60 });
    made[0]!.onExit({ code: 0, signal: 0 });
    exited.end();
    await until(() => !registry.list({}).includes(exited.terminal));
    await change(asked.terminal.id, { pinS: 60 });
    expect(registry.end({ id: asked.terminal.id }, 'test')).toBe(1);
    await change(deleted.terminal.id, { pinS: 60 });
    deleted.end();
    registry.unpinAll();
    await made[2]!.hungUp.promise;
  });

  it('waits for nobody once it was ended', async () => {
    const pinned = registry.create(wanted);
    await change(pinned.terminal.id, { pinS: 60 });
    pinned.end();
    registry.end({ id: pinned.terminal.id }, 'test');
    made[0]!.onExit({ code: 0, signal: 1 });
    expect(pinned.terminal.timeout.left).toBeUndefined();
  });

  it('is as a former agent left it', async () => {
    const pty = new KeptPty();
    const state = { ...newState('kept', 'u', 'u@example.com', size), name: 'build', pin: { seconds: 600, left: 300 } };
    registry.adopt(state, pty);
    expect(await listed()).toMatchObject([{ name: 'build', pinS: 600, leftS: 300 }]);
    registry.attach('kept', { ...wanted, offset: 0 });
    expect(pty.said.filter((said) => said.startsWith('pin'))).toEqual(['pin 600 300', 'pin 600 Infinity']);
    expect((await listed())[0]).not.toHaveProperty('leftS');
  });

  it('notes its name for later agents, and says what it takes', async () => {
    const { terminal } = registry.create(wanted);
    const info = (await change(terminal.id, { name: 'Grüße 🦊' })).terminal!;
    expect(info).toMatchObject({ name: 'Grüße 🦊', pinS: 0, memoryLimit: BigInt(2 * DEFAULT_LIMITS.replay) });
    const note = made[0]!.said.findLast((said) => said.startsWith('note '))!;
    expect(parseNote(Buffer.from(note.slice(5))).name).toBe('Grüße 🦊');
    expect((await change(terminal.id, { name: '' })).terminal).toMatchObject({ name: '' });
  });

  it('shortens pins that are longer than the account allows', async () => {
    const [here, gone] = [registry.create(wanted), registry.create(wanted)];
    for (const { terminal } of [here, gone]) await change(terminal.id, { pinS: 600 });
    gone.end();
    registry.boundPins('u', 60_000);
    expect(await listed()).toMatchObject([{ pinS: 60 }, { pinS: 60, leftS: 60 }]);
    expect(made.map(({ said }) => said.at(-1))).toEqual(['pin 60 Infinity', 'pin 60 60']);
    registry.boundPins('u', 120_000);
    expect(await listed()).toMatchObject([{ pinS: 60 }, { pinS: 60 }]);
    registry.boundPins('u', 0);
    expect(pinOwners(registry)).toEqual([]);
  });

  it('has a limit for each person', async () => {
    const all = [1, 2, 3].map(() => registry.create(wanted).terminal.id);
    const theirs = registry.create({ ...wanted, userId: 'v', userEmail: 'v@example.com' }).terminal.id;
    await change(all[0]!, { pinS: 60 });
    await change(all[1]!, { pinS: 60 });
    await change(all[1]!, { pinS: 61 });
    await expect(change(all[2]!, { name: 'third', pinS: 60 })).rejects.toThrow('you have 2 pinned terminals');
    expect((await listed())[2]).toMatchObject({ name: '', pinS: 0 });
    await change(theirs, { userId: 'v', pinS: 60 });
    expect(pinOwners(registry).map(({ userId }) => userId)).toEqual(['u', 'v']);
  });

  it.each([
    ['a control character', { name: 'a\u001bb' }],
    ['a line break', { name: 'a\nb' }],
    ['a name that is too long', { name: 'ä'.repeat(65) }],
    ['a pin that is too long', { pinS: 30 * 86_400 + 1 }],
  ])('refuses %s', async (_what, what) => {
    const { terminal } = registry.create(wanted);
    expect(await codeOf(change(terminal.id, what))).toBe('InvalidArgument');
  });

  it("refuses another person's, and what would end with the agent", async () => {
    const { id } = registry.create(wanted).terminal;
    expect(await codeOf(change(id, { userId: 'stranger', name: 'mine' }))).toBe('NotFound');
    made[0]!.canPin = false;
    expect(await codeOf(change(id, { pinS: 60 }))).toBe('FailedPrecondition');
    next = () => new FakePty();
    const unkept = registry.create(wanted).terminal.id;
    await expect(change(unkept, { pinS: 60 })).rejects.toThrow('its program would end with the agent');
    expect((await change(unkept, { name: 'mine' })).terminal).toMatchObject({ name: 'mine' });
  });
});
