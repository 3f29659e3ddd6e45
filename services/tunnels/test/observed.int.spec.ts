import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { userCaller } from '@warren/platform/rpc/caller';
import { Role, UserCallerSchema } from '@warren/proto/common/v1/common';
import { v7 as uuidv7 } from 'uuid';
import { Links } from '../src/links/links.ts';
import type { FakeAgent, TestDevice } from './fake.agent.ts';
import { World, type Browser } from './world.ts';

interface People {
  people: { user: string; email: string; role: string; owner: boolean; observes: boolean; you: boolean }[];
  requests: { id: string }[];
}

describe('a terminal that the account lets people observe', () => {
  let world: World;
  let device: TestDevice;
  let agent: FakeAgent;
  let owner: Browser;
  let session: string;
  const [ada, boss, bob, guest] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];

  const open = async (userId: string, register: object, of: { accountId?: string } = {}): Promise<Browser> => {
    const browser = world.browser(device.id, { userId, ...of });
    browser.socket.emit('register', { cols: 80, rows: 24, join: true, acks: true, ...register });
    await until(() => browser.heard('register_status') !== undefined || browser.heard('asking') !== undefined);
    return browser;
  };
  const observe = (userId = boss, ask = 'reader') => open(userId, { session, ask });
  const people = (browser: Browser) => browser.heard('people') as unknown as People | undefined;
  const observers = (browser = owner) => people(browser)?.people.flatMap((one) => (one.observes ? [one.user] : []));
  const rules = () => world.neighbours.people;
  const allow = () => rules().observable.add(device.accountId);
  const changed = () => world.publish({ case: 'accessChanged', value: { accountId: device.accountId } } as never);
  const trail = (actor: string) =>
    world.events.flatMap(({ kind }) =>
      kind.case === 'audit' && kind.value.actor?.id === actor && kind.value.target?.id === device.id
        ? [[kind.value.action, JSON.parse(kind.value.details || '{}')] as const]
        : [],
    );
  const ended = (browser: Browser) => until(() => browser.heard('disconnect') !== undefined);

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
    rules().roles.set(boss, Role.ADMIN);
  });
  afterAll(async () => world?.stop());

  beforeEach(async () => {
    rules().observable.clear();
    rules().pinDays = 7;
    device = world.neighbours.device();
    agent = await world.agent(device, { shares: true });
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    owner = await open(ada, {});
    session = String(owner.heard('register_status')?.['session']);
    await until(() => people(owner)?.people.length === 1);
  });

  it('asks its owner unless the account allows it, for all roles', async () => {
    for (const who of [boss, bob]) {
      const other = await observe(who);
      expect(other.heard('asking')).toEqual({ role: 'reader' });
      expect(other.heard('register_status')).toBeUndefined();
      other.socket.disconnect();
    }
    expect(agent.terminals).toHaveLength(1);
  });

  it('opens to an Admin without a question, who only reads, and everybody in it sees that', async () => {
    allow();
    const eye = await observe();
    expect(eye.heard('asking')).toBeUndefined();
    expect(eye.heard('register_status')).toMatchObject({ success: true, role: 'reader' });
    await until(() => observers()?.length === 1);
    expect(observers()).toEqual([boss]);
    expect(people(owner)?.people.find(({ observes }) => observes)?.email).toBe(`${boss}@example.org`);
    await until(() => observers(eye)?.length === 1);
    const terminal = agent.last();
    eye.socket.emit('input', { input: 'rm -rf /' });
    eye.socket.emit('close');
    await terminal.print('shown');
    await until(() => eye.text() === 'shown');
    eye.socket.emit('ack', { offset: 5 });
    await until(() => terminal.acked() === 5);
    expect(terminal.inputs.map(({ kind }) => kind.case)).toEqual(['open', 'ack']);
    // The owner can't end what the account allows, and may let the person type.
    owner.socket.emit('role', { user: boss, role: null });
    owner.socket.emit('role', { user: boss, role: 'writer' });
    await until(() => eye.heard('client_disconnect') !== undefined);
    expect(eye.heard('client_disconnect')).toMatchObject({ code: 'moved' });
    const again = await observe();
    expect(again.heard('register_status')).toMatchObject({ success: true, role: 'writer' });
    await until(() => people(owner)?.people.some(({ user, role }) => user === boss && role === 'writer') === true);
    expect(observers()).toEqual([]);
    again.socket.disconnect();
  });

  it('is in the audit trail under its own name, and a terminal with consent is not', async () => {
    allow();
    const eye = await observe();
    eye.socket.disconnect();
    await until(() => trail(boss).length === 2);
    const part = { role: 'reader', owner: `${ada}@example.org`, observed: true, terminal: session };
    expect(trail(boss)).toEqual([
      ['terminal.observe', expect.objectContaining(part)],
      ['terminal.close', expect.objectContaining(part)],
    ]);
    expect(trail(ada).map(([action]) => action)).toEqual(['terminal.open']);
  });

  it('asks its owner for members, for people of other accounts, for typing, and while the rule is not known', async () => {
    allow();
    const operators = uuidv7();
    const [operator] = [uuidv7()];
    rules().roles.set(operator, Role.SUPER_ADMIN);
    rules().observable.add(operators);
    const away = async () => {
      rules().pinDays = undefined;
      return observe();
    };
    const asked = [
      await observe(bob),
      await open(operator, { session, ask: 'reader' }, { accountId: operators }),
      await observe(boss, 'writer'),
      await away(),
    ];
    expect(asked.map((one) => one.heard('asking') !== undefined)).toEqual([true, true, true, true]);
    expect(agent.terminals).toHaveLength(1);
    for (const { socket } of asked) socket.disconnect();
  });

  it('is listed for those who may observe it, while its owner is there', async () => {
    agent.listed = [{ session, command: 'make', startedAt: 1_000n }, { session: 'another' }];
    const listed = async (userId: string, role = Role.ADMIN) => {
      const user = { userId, role, email: `${userId}@example.org`, name: 'Ann', accountId: device.accountId };
      const caller = userCaller(create(UserCallerSchema, user));
      const { observable } = await world.rpc.listTerminals(caller, { deviceId: device.id }, world.here);
      return observable.map(({ ownerEmail, terminal }) => [ownerEmail, terminal?.session, terminal?.command]);
    };
    expect(await listed(boss)).toEqual([]);
    allow();
    expect(await listed(boss)).toEqual([[`${ada}@example.org`, session, 'make']]);
    expect(await listed(bob, Role.MEMBER)).toEqual([]);
    expect(await listed(ada)).toEqual([]);
    owner.socket.disconnect();
    await until(async () => (await listed(boss)).length === 0);
  });

  it('shares nothing with guests', async () => {
    allow();
    rules().roles.set(guest, Role.ADMIN);
    const token = world.neighbours.token(device.id, guest, device.accountId, { guest: uuidv7() });
    const browser = world.browser(device.id, { userId: guest, token });
    browser.socket.emit('register', { cols: 80, rows: 24, join: true, session, ask: 'reader' });
    await until(() => agent.terminals.length === 2);
    // The agent is asked for the guest's own terminal.
    expect(agent.last().inputs[0]?.kind).not.toMatchObject({ value: { userId: ada } });
    browser.socket.disconnect();
  });

  it('ends for observers within 2 seconds when the account allows it no more, and stays for its owner', async () => {
    allow();
    const eye = await observe();
    await until(() => observers()?.length === 1);
    await changed();
    rules().observable.clear();
    const since = performance.now();
    await changed();
    await ended(eye);
    expect(performance.now() - since).toBeLessThan(2_000);
    expect(eye.heard('register_status')).toMatchObject({ success: false, code: 'removed' });
    await until(() => observers()?.length === 0);
    expect(agent.terminals[0]?.left).toBe(false);
    expect((await observe()).heard('asking')).toEqual({ role: 'reader' });
  });

  it('ends for an observer who has become a member', async () => {
    allow();
    const eye = await observe();
    await until(() => observers()?.length === 1);
    rules().roles.set(boss, Role.MEMBER);
    await world.publish({ case: 'userChanged', value: { userId: boss, active: true } } as never);
    await ended(eye);
    rules().roles.set(boss, Role.ADMIN);
    expect(eye.heard('register_status')).toMatchObject({ code: 'removed' });
  });

  it('is not observed without its owner', async () => {
    allow();
    owner.socket.disconnect();
    await until(() => agent.terminals.every(({ left }) => left));
    const late = await observe();
    await until(() => late.heard('register_status') !== undefined);
    expect(late.heard('register_status')).toMatchObject({ success: false, code: 'absent' });
    expect(agent.terminals).toHaveLength(1);
  });
});
