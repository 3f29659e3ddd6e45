import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { TerminalSizing } from '@warren/proto/agent/v1/agent';
import { v7 as uuidv7 } from 'uuid';
import { Links } from '../src/links/links.ts';
import { LiveGrants } from '../src/sockets/live.grants.ts';
import type { FakeAgent, TestDevice } from './fake.agent.ts';
import { World, type Browser } from './world.ts';

type People = {
  people: { id: string; user: string; role: string; owner: boolean; you: boolean }[];
  requests: { id: string }[];
};

describe('a terminal that several people share', () => {
  let world: World;
  let device: TestDevice;
  let agent: FakeAgent;
  let owner: Browser;
  let session: string;
  const [ada, bob, eve, joe] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];

  const open = async (userId: string, register: object): Promise<Browser> => {
    const browser = world.browser(device.id, { userId });
    browser.socket.emit('register', { cols: 80, rows: 24, join: true, acks: true, ...register });
    await until(() => browser.heard('register_status') !== undefined || browser.heard('asking') !== undefined);
    return browser;
  };
  const people = (browser: Browser) => browser.heard('people') as People | undefined;
  const requestOf = async () => {
    await until(() => (people(owner)?.requests.length ?? 0) > 0);
    return people(owner)!.requests[0]!.id;
  };
  /** The owner's list follows the answer, or the end of the socket that has asked. */
  const noRequests = () => until(() => people(owner)?.requests.length === 0);
  /** Another person asks, and the owner answers. */
  const admit = async (role: string | null, who = bob) => {
    const other = await open(who, { session, ask: 'reader' });
    owner.socket.emit('answer', { id: await requestOf(), role });
    await until(() => other.heard('register_status') !== undefined);
    await noRequests();
    return other;
  };
  const remove = async () => {
    owner.socket.emit('role', { user: bob, role: null });
    await until(() => people(owner)?.people.every(({ user }) => user === ada) === true);
  };

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
    device = world.neighbours.device();
    agent = await world.agent(device, { shares: true });
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    owner = await open(ada, {});
    session = String(owner.heard('register_status')?.['session']);
  });
  afterAll(async () => world?.stop());

  it('lets in every window of the owner without a question', async () => {
    const second = await open(ada, { session, ask: 'writer' });
    expect(second.heard('register_status')).toMatchObject({
      success: true,
      role: 'writer',
      size: { cols: 80, rows: 24 },
    });
    expect(agent.last().inputs[0]?.kind).toMatchObject({ case: 'open', value: { userId: ada, session, join: true } });
    await until(() => people(owner)?.people.length === 2);
    second.socket.disconnect();
    await until(() => people(owner)?.people.length === 1);
    expect(owner.heard('register_status')).toMatchObject({ success: true });
  });

  it('lets a person in only when its owner agrees, and ends that', async () => {
    const declined = await admit(null, eve);
    expect(declined.heard('register_status')).toMatchObject({ success: false, code: 'declined' });
    const tooSoon = await open(eve, { session, ask: 'reader' });
    expect(tooSoon.heard('register_status')).toMatchObject({
      code: 'declined',
      error: "The terminal's owner declined. You can ask again after 10 seconds.",
    });

    const opened = agent.terminals.length;
    const other = await open(bob, { session, ask: 'reader' });
    expect(other.heard('asking')).toEqual({ role: 'reader' });
    const id = await requestOf();
    // Others answer no requests, not even their own.
    other.socket.emit('answer', { id, role: 'writer' });
    other.socket.emit('role', { user: bob, role: 'writer' });
    expect(agent.terminals).toHaveLength(opened);
    owner.socket.emit('answer', { id, role: 'reader' });
    await until(() => other.heard('register_status') !== undefined);
    expect(other.heard('register_status')).toMatchObject({ success: true, role: 'reader' });
    expect(agent.last().inputs[0]?.kind).toMatchObject({
      case: 'open',
      value: { userId: ada, userEmail: `${bob}@example.org`, session },
    });
    await until(() => people(other)?.people.length === 2);
    expect(people(other)?.people.map(({ role, owner: is, you }) => [role, is, you])).toEqual([
      ['writer', true, false],
      ['reader', false, true],
    ]);
    const terminal = agent.last();
    other.socket.emit('input', { input: 'rm -rf /' });
    other.socket.emit('close');
    await terminal.print('shown');
    await until(() => other.text() === 'shown');
    other.socket.emit('ack', { offset: 5 });
    await until(() => terminal.acked() === 5);
    expect(terminal.inputs.map(({ kind }) => kind.case)).toEqual(['open', 'ack']);

    await terminal.snapshot(1_000, 'the screen');
    await until(() => other.heard('snapshot') !== undefined);
    expect(other.heard('snapshot')).toMatchObject({ offset: 1_000, cols: 80, rows: 24 });
    await terminal.print(' and more');
    await until(() => other.outputs.at(-1)?.offset === 1_000);

    await remove();
    await until(() => terminal.left && other.heard('register_status')?.['code'] === 'removed');
    expect(other.heard('register_status')).toMatchObject({ success: false });
  });

  it('lets a reader ask for control, and attaches again with it', async () => {
    const other = await admit('reader');
    other.socket.emit('ask');
    owner.socket.emit('answer', { id: await requestOf(), role: 'writer' });
    await until(() => other.heard('client_disconnect') !== undefined);
    expect(other.heard('client_disconnect')).toMatchObject({ code: 'moved' });
    // No second answer is needed.
    const again = await open(bob, { session, ask: 'reader' });
    expect(again.heard('register_status')).toMatchObject({ success: true, role: 'writer' });
    again.socket.emit('input', { input: 'ls' });
    const terminal = agent.last();
    await until(() => terminal.typed() === 'ls' && owner.heard('typing') !== undefined);
    expect(people(owner)?.people.find(({ id }) => id === owner.heard('typing')?.['id'])?.user).toBe(bob);
    // It is the owner's program.
    again.socket.emit('close');
    await remove();
    expect(terminal.inputs.some(({ kind }) => kind.case === 'close')).toBe(false);
  });

  it('has the size of the window that a writer chooses, until it gives that up', async () => {
    const other = await admit('writer');
    const terminal = agent.last();
    // Only yes and no count.
    for (const payload of [{ mine: 'yes' }, {}, null]) other.socket.emit('sizing', payload);
    other.socket.emit('sizing', { mine: true });
    await until(() => terminal.sizings().length > 0 && owner.heard('sizing') !== undefined);
    expect(terminal.sizings()).toEqual([TerminalSizing.MINE]);
    expect([owner.heard('sizing'), other.heard('sizing')]).toEqual([{ mine: false }, undefined]);
    // The agent says the size to every window.
    for (const { left, resized } of agent.terminals) if (!left) resized(60, 20);
    await until(() => [owner, other].every((one) => one.heard('size') !== undefined));
    expect([owner, other].map((one) => one.heard('size'))).toEqual([
      { cols: 60, rows: 20 },
      { cols: 60, rows: 20 },
    ]);
    other.socket.emit('sizing', { mine: false });
    await until(() => terminal.sizings().length > 1);
    expect(terminal.sizings()).toEqual([TerminalSizing.MINE, TerminalSizing.SMALLEST]);

    owner.socket.emit('role', { user: bob, role: 'reader' });
    await until(() => other.heard('client_disconnect') !== undefined);
    const reader = await open(bob, { session, ask: 'reader' });
    expect(reader.heard('register_status')).toMatchObject({ success: true, role: 'reader' });
    const followed = agent.last();
    await followed.print('shown');
    await until(() => reader.text() === 'shown');
    reader.socket.emit('sizing', { mine: true });
    reader.socket.emit('resize', { cols: 10, rows: 5 });
    reader.socket.emit('ack', { offset: 5 });
    await until(() => followed.acked() === 5);
    expect(followed.inputs.map(({ kind }) => kind.case)).toEqual(['open', 'ack']);
    await remove();
  });

  it('ends for others when its owner takes over', async () => {
    const other = await admit('reader');
    await until(() => people(owner)?.people.length === 2);
    const second = await open(ada, { session, join: false });
    expect(agent.last().inputs[0]?.kind).toMatchObject({ value: { userId: ada, session, join: false } });
    await until(() => other.heard('disconnect') !== undefined);
    expect(other.heard('register_status')).toMatchObject({ success: false, code: 'removed' });
    second.socket.disconnect();
    const again = await open(bob, { session, ask: 'reader' });
    expect(again.heard('asking')).toEqual({ role: 'reader' });
    await requestOf();
    again.socket.disconnect();
    await noRequests();
  });

  it('ends when its owner, who handed over control, loses the right', async () => {
    const other = await admit('writer');
    other.socket.emit('input', { input: 'ls' });
    owner.socket.emit('role', { user: ada, role: 'reader' });
    await until(() => owner.heard('client_disconnect') !== undefined);
    owner = await open(ada, { session });
    expect(owner.heard('register_status')).toMatchObject({ success: true, role: 'reader' });
    const grants = world.app.get(LiveGrants);
    await grants.withdraw('No right.', ({ user }) => user.userId === ada);
    await until(() => agent.asked.length > 0);
    expect(agent.asked.at(-1)).toMatchObject({ userId: ada, session, why: 'No right.' });

    await grants.withdraw('No right.', ({ user }) => user.userId === bob);
    const closed = () =>
      world.events.flatMap(({ kind }) =>
        kind.case === 'audit' && kind.value.reason === 'No right.' ? [JSON.parse(kind.value.details)] : [],
      );
    await until(() => closed().length === 2);
    expect(closed().map(({ role, bytes_to_device: typed }) => [role, typed])).toEqual(
      expect.arrayContaining([
        ['writer', 2],
        [undefined, 0],
      ]),
    );
    owner = await open(ada, { session });
  });

  it('stays open to nobody else, and to nobody without its owner', async () => {
    const stranger = await open(joe, { session });
    // The agent refuses whom it does not know: the hub asks for this person's own terminal.
    expect(agent.last().inputs[0]?.kind).toMatchObject({ case: 'open', value: { userId: joe } });
    stranger.socket.disconnect();
    owner.socket.disconnect();
    await until(() => agent.terminals.every(({ left }) => left));
    const late = await open(joe, { session, ask: 'reader' });
    await until(() => late.heard('register_status') !== undefined);
    expect(late.heard('register_status')).toMatchObject({ success: false, code: 'absent' });
  });
});
