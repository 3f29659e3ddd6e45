import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { until } from '@warren/infra/until';
import { userCaller } from '@warren/platform/rpc/caller';
import { TerminalRefusal } from '@warren/proto/agent/v1/agent';
import { Role, UserCallerSchema } from '@warren/proto/common/v1/common';
import { v7 as uuidv7 } from 'uuid';
import { Links } from '../src/links/links.ts';
import { World } from './world.ts';

describe('terminals that outlive their connections', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  afterAll(() => world?.stop());

  const linked = async () => {
    const device = world.neighbours.device();
    const agent = await world.agent(device);
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    return { device, agent };
  };

  const opened = async (register: object = {}) => {
    const { device, agent } = await linked();
    const userId = uuidv7();
    const browser = world.browser(device.id, { userId, accountId: device.accountId });
    browser.socket.emit('register', { cols: 80, rows: 24, ...register });
    await until(() => browser.heard('register_status')?.['success'] === true);
    return { device, agent, browser, userId, terminal: agent.last() };
  };

  it('acknowledge to a screen the typed bytes that they have accepted', async () => {
    const { browser, terminal } = await opened({ writer: 'screen-1' });
    expect(terminal.inputs[0]?.kind).toMatchObject({ case: 'open', value: { writer: 'screen-1' } });
    terminal.accept(17);
    await until(() => browser.heard('accepted') !== undefined);
    expect(browser.heard('accepted')).toEqual({ typed: 17 });
  });

  it.each([
    [TerminalRefusal.GONE, 'gone'],
    [TerminalRefusal.LIMIT, 'limit'],
    [TerminalRefusal.TAKEN_OVER, 'taken_over'],
    [TerminalRefusal.INPUT_FULL, 'input_full'],
    [TerminalRefusal.SCREEN, 'screen'],
    [TerminalRefusal.OFFSET, 'offset'],
    [TerminalRefusal.UNSPECIFIED, 'failed'],
    [99 as TerminalRefusal, 'failed'],
  ])('say why they are refused: %s is %s', async (code, told) => {
    const { browser, terminal } = await opened();
    terminal.refuse('because', code);
    await until(() => browser.heard('register_status')?.['success'] === false);
    expect(browser.heard('register_status')).toMatchObject({ error: 'because', code: told });
  });

  it('send their browsers on when the device has a newer link', async () => {
    const { device, browser } = await opened();
    await world.agent(device);
    await until(() => browser.heard('disconnect') !== undefined);
    expect(browser.heard('client_disconnect')).toMatchObject({ code: 'moved' });
  });

  it('end with the reason, not with an exit, when the right to them is withdrawn', async () => {
    const { device, agent, browser, userId } = await opened();
    await world.publish({ case: 'userDeleted', value: { userId, email: '' } } as never);
    await until(() => browser.heard('disconnect') !== undefined);
    expect(browser.received.map(([event]) => event)).toEqual(['register_status', 'register_status', 'disconnect']);
    expect(browser.heard('register_status')).toMatchObject({ code: 'withdrawn', error: 'The user is deleted.' });
    await until(() => agent.asked.length === 1);
    expect(agent.asked[0]).toMatchObject({ userId, session: '' });
    expect(world.app.get(Links).get(device.id)?.alive).toBe(true);
  });

  it('end when the console goes off while detached, and on the link of a device that comes back', async () => {
    const { device, agent } = await linked();
    Object.assign(world.neighbours.devices.get(device.id) ?? {}, { sshEnabled: false });
    await world.publish({ case: 'deviceChanged', value: { deviceId: device.id } } as never, '', uuidv7());
    await until(() => agent.asked.length === 1);
    expect(agent.asked[0]).toMatchObject({ userId: '', session: '', exceptUserIds: [] });
    const again = await world.agent(device);
    await until(() => again.asked.length === 1);
    expect(again.asked[0]).toMatchObject({ userId: '', session: '' });
  });

  it('end when their account is disabled, or the device goes to another one', async () => {
    const disabled = await linked();
    const accountId = disabled.device.accountId;
    await world.publish({ case: 'accountChanged', value: { accountId, active: false } } as never);
    await until(() => disabled.agent.asked.length === 1);

    const moved = await opened();
    Object.assign(world.neighbours.devices.get(moved.device.id) ?? {}, { accountId: uuidv7() });
    const value = { deviceId: moved.device.id, previousAccountId: moved.device.accountId };
    await world.publish({ case: 'deviceChanged', value } as never);
    await until(() => moved.agent.asked.length === 1);
    expect(moved.agent.asked[0]).toMatchObject({ userId: '', exceptUserIds: [] });
  });

  describe('in the list of their owner', () => {
    const caller = (accountId: string, userId = uuidv7()) =>
      userCaller(
        create(UserCallerSchema, { userId, email: 'ann@example.org', name: 'Ann', accountId, role: Role.MEMBER }),
      );

    it('are shown with what the device says of them, bounded', async () => {
      const { device, agent } = await linked();
      const startedAt = BigInt(Date.now() - 60_000);
      const usedAt = BigInt(Date.now() + 86_400_000);
      const size = { cols: 4_000_000_000, rows: 24 };
      agent.listed = [
        { session: 's-1', startedAt, usedAt, attached: true, size, command: `vi\u0000m${'x'.repeat(500)}` },
      ];
      const userId = uuidv7();
      const who = caller(device.accountId, userId);
      const { terminals } = await world.rpc.listTerminals(who, { deviceId: device.id }, world.here);
      expect(agent.asked[0]).toMatchObject({ userId });
      expect(terminals).toHaveLength(1);
      expect(terminals[0]).toMatchObject({ session: 's-1', attached: true, cols: 1_000, rows: 24 });
      expect(terminals[0]?.command).toBe(`vi m${'x'.repeat(28)}`);
      expect(timestampMs(terminals[0]!.usedAt!)).toBeLessThanOrEqual(Date.now());
      expect(timestampMs(terminals[0]!.startedAt!)).toBe(Number(startedAt));
    });

    it("end one at a time; not another account's, and not those that are not there", async () => {
      const { device, agent } = await linked();
      const who = caller(device.accountId);
      const end = (as: ReturnType<typeof caller>, session: string) =>
        world.rpc.endTerminal(as, { deviceId: device.id, session }, world.here);
      await expect(end(caller(uuidv7()), 's-1')).rejects.toMatchObject({ code: 'not_found' });
      await expect(
        world.rpc.listTerminals(caller(uuidv7()), { deviceId: device.id }, world.here),
      ).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(end(who, '')).rejects.toMatchObject({ code: 'invalid_argument' });
      expect(agent.asked).toEqual([]);
      await expect(end(who, 's-1')).rejects.toMatchObject({ code: 'not_found' });
      agent.listed = [{}];
      await end(who, 's-1');
      expect(agent.asked.at(-1)).toMatchObject({ session: 's-1', exceptUserIds: [] });
      const offline = world.neighbours.device();
      const asked = world.rpc.listTerminals(caller(offline.accountId), { deviceId: offline.id }, world.here);
      await expect(asked).rejects.toMatchObject({ code: 'unavailable' });
    });
  });
});
