import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { until } from '@warren/infra/until';
import { userCaller } from '@warren/platform/rpc/caller';
import { Role, UserCallerSchema } from '@warren/proto/common/v1/common';
import { v7 as uuidv7 } from 'uuid';
import { Links } from '../src/links/links.ts';
import type { FakeAgent, FakeAgentOptions } from './fake.agent.ts';
import { emailOf } from './fake.people.ts';
import { World } from './world.ts';

const DAY_S = 86_400;
type Pins = NonNullable<FakeAgentOptions['pins']>;

describe('pinned terminals', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  afterEach(() => {
    world.neighbours.people.pinDays = 7;
  });
  afterAll(() => world?.stop());

  const linked = async (pins?: Pins) => {
    const device = world.neighbours.device();
    const agent = await world.agent(device, pins && { pins });
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    return { device, agent };
  };
  const caller = (accountId: string, userId = uuidv7()) =>
    userCaller(create(UserCallerSchema, { userId, email: emailOf(userId), name: 'Ann', accountId, role: Role.MEMBER }));
  const code = (wanted: string) => expect.objectContaining({ code: wanted }) as object;
  const audited = (about: string) =>
    world.events.flatMap(({ kind }) =>
      kind.case === 'audit' && kind.value.target?.id === about ? [`${kind.value.action} ${kind.value.details}`] : [],
    );
  const change = (who: ReturnType<typeof caller>, deviceId: string, what: object) =>
    world.rpc.changeTerminal(who, { deviceId, session: 's-1', ...what }, world.here);

  it('are named and pinned by their owner, and shown with what the device and the account allow', async () => {
    const { device, agent } = await linked({
      owners: [],
      change: ({ name, pinS }) => ({
        name: `${name}\u0007`,
        pinS,
        leftS: 4_000_000_000,
        memory: 5n,
        memoryLimit: 1n << 62n,
      }),
    });
    const userId = uuidv7();
    const who = caller(device.accountId, userId);
    const { terminal } = await change(who, device.id, { name: 'build', pinDays: 3 });
    expect(agent.asked).toMatchObject([{ userId, session: 's-1', name: 'build', pinS: 3 * DAY_S }]);
    const bounded = { leftS: 30 * DAY_S, memory: 5n, memoryLimit: 1n << 40n };
    expect(terminal).toMatchObject({ name: 'build ', pinDays: 3, ...bounded });
    await change(who, device.id, { pinDays: 0 });
    expect(agent.asked.at(-1)).toMatchObject({ pinS: 0 });
    expect(agent.asked.at(-1)).not.toHaveProperty('name', expect.any(String));
    const { capacity } = await world.rpc.listTerminals(who, { deviceId: device.id }, world.here);
    expect(capacity).toMatchObject({ terminals: 32, pinned: 8, pinDays: 7 });
    expect(agent.asked.at(-1)).toMatchObject({ userId, pinLimitS: 7 * DAY_S });
    await until(() => audited(device.id).length === 3);
    expect(audited(device.id).sort()).toEqual([
      'terminal.pin {"days":3,"terminal":"s-1"}',
      'terminal.rename {"name":"build","terminal":"s-1"}',
      'terminal.unpin {"days":0,"terminal":"s-1"}',
    ]);
  });

  it('are bounded by the account, and refused while that can not be read', async () => {
    const { device, agent } = await linked({ owners: [] });
    const who = caller(device.accountId);
    await expect(change(who, device.id, { pinDays: 8 })).rejects.toMatchObject(code('invalid_argument'));
    world.neighbours.people.pinDays = 0;
    await expect(change(who, device.id, { pinDays: 1 })).rejects.toThrow('the account allows no pins');
    world.neighbours.people.pinDays = undefined;
    await expect(change(who, device.id, { pinDays: 1 })).rejects.toMatchObject(code('unavailable'));
    expect(agent.asked).toEqual([]);
    await change(who, device.id, { pinDays: 0 });
    await change(who, device.id, { name: 'x' });
    const { capacity } = await world.rpc.listTerminals(who, { deviceId: device.id }, world.here);
    expect(capacity).not.toHaveProperty('pinDays', expect.any(Number));
    expect(agent.asked.at(-1)).not.toHaveProperty('pinLimitS', expect.any(Number));
  });

  it("are not another account's, and say why the device refuses", async () => {
    const refusal = { code: Code.FailedPrecondition, says: 'you have 8 pinned terminals on this device' };
    const { device, agent } = await linked({
      owners: [],
      change: () => {
        throw new ConnectError(refusal.says, refusal.code);
      },
    });
    await expect(change(caller(uuidv7()), device.id, { name: 'x' })).rejects.toMatchObject(code('not_found'));
    expect(agent.asked).toEqual([]);
    const who = caller(device.accountId);
    await expect(change(who, device.id, { name: 'a\nb' })).rejects.toMatchObject(code('invalid_argument'));
    await expect(change(who, device.id, { pinDays: 2 })).rejects.toThrow(refusal.says);
    refusal.code = Code.NotFound;
    await expect(change(who, device.id, { name: 'x' })).rejects.toMatchObject(code('not_found'));
    const old = await linked();
    const asked = change(caller(old.device.accountId), old.device.id, { name: 'x' });
    await expect(asked).rejects.toThrow('is too old for it');
    const { capacity } = await world.rpc.listTerminals(
      caller(old.device.accountId),
      { deviceId: old.device.id },
      world.here,
    );
    expect(capacity).toBeUndefined();
  });

  /** Somebody with a pinned terminal on a device that links. */
  const owned = async (isMember: boolean) => {
    const device = world.neighbours.device();
    const userId = uuidv7();
    if (isMember) world.neighbours.people.know(userId, { accountId: device.accountId, operator: false });
    const agent = await world.agent(device, { pins: { owners: [{ userId, userEmail: emailOf(userId) }] } });
    return { device, agent, userId };
  };
  const asks = (agent: FakeAgent, wanted: object) =>
    until(() => {
      expect(agent.asked.at(-1)).toMatchObject(wanted);
      return true;
    });

  it('end on the link of a device whose user has lost the right meanwhile', async () => {
    const { agent, userId } = await owned(false);
    await asks(agent, { userId, session: '', why: 'The user may not reach the device any more.' });
  });

  it('end at once when their user is moved to another account', async () => {
    const device = world.neighbours.device();
    const userId = uuidv7();
    world.neighbours.people.know(userId, { accountId: device.accountId, operator: false });
    const owners: Pins['owners'] = [];
    const pin = ({ pinS }: { pinS?: number }) => {
      owners.push({ userId, userEmail: emailOf(userId) });
      return { pinS };
    };
    const agent = await world.agent(device, { pins: { owners, change: pin } });
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    await change(caller(device.accountId, userId), device.id, { pinDays: 1 });
    await asks(agent, { userId, pinLimitS: 7 * DAY_S });
    agent.asked.length = 0;
    const other = uuidv7();
    world.neighbours.people.know(userId, { accountId: other, operator: false });
    const value = { userId, email: emailOf(userId), active: true };
    await world.publish({ case: 'userChanged', value } as never, other);
    await asks(agent, { userId, session: '', why: 'The user may not reach the device any more.' });
  });

  it('become shorter when the account allows less, at once and on the next link', async () => {
    const { device, agent, userId } = await owned(true);
    await asks(agent, { userId, pinLimitS: 7 * DAY_S });
    agent.asked.length = 0;
    world.neighbours.people.pinDays = 2;
    const { accountId } = device;
    await world.publish({ case: 'accessChanged', value: { accountId } } as never, accountId);
    await asks(agent, { userId, pinLimitS: 2 * DAY_S });
  });

  it('are checked as soon as tenancy answers again', async () => {
    world.neighbours.people.pinDays = undefined;
    const { agent, userId } = await owned(true);
    world.neighbours.people.pinDays = 5;
    await asks(agent, { userId, pinLimitS: 5 * DAY_S });
  });
});
