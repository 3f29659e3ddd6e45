import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { NatsLink } from '@warren/platform/rpc/nats.connection';
import { requireUser, serviceCaller, userCaller, type Caller, type UserCaller } from '@warren/platform/rpc/caller';
import { createRpcClient } from '@warren/platform/rpc/client';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import { Role, UserCallerSchema } from '@warren/proto/common/v1/common';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { v7 as uuidv7 } from 'uuid';
import { Lease } from '../src/broker/lease.ts';
import { Links } from '../src/links/links.ts';
import { dialToken, FakeAgent, type FakeAgentOptions } from './fake.agent.ts';
import { until } from '@warren/infra/until';
import { World } from './world.ts';

function user(role: Role, operator: boolean, accountId = uuidv7()) {
  const email = 'ann@example.org';
  return userCaller(create(UserCallerSchema, { userId: uuidv7(), email, name: 'Ann', accountId, role, operator }));
}

describe('what is asked of a device', () => {
  let world: World;
  const superAdmin = user(Role.SUPER_ADMIN, true);

  beforeAll(async () => {
    world = await World.start({
      redis: process.env['TEST_REDIS_URL'] ?? '',
      nats: process.env['TEST_NATS_URL'] ?? '',
    });
  });
  afterAll(() => world?.stop());

  /** Over the real bus, as the gateway asks. */
  const reboot = (
    deviceId: string,
    caller = superAdmin,
    instance: string = world.app.get(Lease).replica,
    onBehalfOf?: UserCaller,
  ) =>
    createRpcClient(
      TunnelsService,
      new NatsTransport(world.app.get(NatsLink), { own: undefined }, { name: 'test' }),
    ).rebootDevice(caller, onBehalfOf ? { deviceId, onBehalfOf } : { deviceId }, { instance });
  const linked = async (options: FakeAgentOptions = {}) => {
    const device = world.neighbours.device();
    const agent = await world.agent(device, options);
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    return { device, agent };
  };

  it('reaches it through the replica that holds it, with the name of who asks', async () => {
    const asked: string[] = [];
    const { device } = await linked({ onReboot: (email) => asked.push(email) });
    await reboot(device.id);
    expect(asked).toEqual(['ann@example.org']);
    await expect(reboot(device.id, superAdmin, uuidv7())).rejects.toMatchObject({ code: 'unavailable' });
  });

  it("is the SuperAdmin's alone to ask", async () => {
    const asked: string[] = [];
    const { device } = await linked({ onReboot: (email) => asked.push(email) });
    const people = [
      ...[Role.OWNER, Role.ADMIN, Role.MEMBER].map((role) => user(role, true)),
      ...[Role.OWNER, Role.ADMIN, Role.MEMBER].map((role) => user(role, false, device.accountId)),
      user(Role.SUPER_ADMIN, false, device.accountId),
      serviceCaller('gateway'),
    ];
    for (const caller of people)
      await expect(reboot(device.id, caller)).rejects.toMatchObject({ code: 'permission_denied' });
    expect(asked).toEqual([]);
  });

  it('is asked by the devices service for a person who may', async () => {
    const asked: string[] = [];
    const { device } = await linked({ onReboot: (email) => asked.push(email) });
    const denied = { code: 'permission_denied' };
    const service = serviceCaller('devices');
    const ask = (caller: Caller, person?: Caller) =>
      reboot(device.id, caller, undefined, person && requireUser(person));
    await expect(ask(service)).rejects.toMatchObject(denied);
    await expect(ask(service, user(Role.OWNER, false, device.accountId))).rejects.toMatchObject(denied);
    await expect(ask(serviceCaller('fleet'), superAdmin)).rejects.toMatchObject(denied);
    // A person speaks for nobody else.
    await expect(ask(user(Role.MEMBER, true), superAdmin)).rejects.toMatchObject(denied);
    await ask(service, superAdmin);
    expect(asked).toEqual(['ann@example.org']);
  });

  it('says so when it is offline, unknown, too old, or refuses', async () => {
    const offline = world.neighbours.device();
    await expect(reboot(offline.id)).rejects.toMatchObject({
      code: 'unavailable',
      message: /bench-pi is not connected/,
    });
    await expect(reboot(uuidv7())).rejects.toMatchObject({ code: 'not_found' });
    const old = await linked();
    await expect(reboot(old.device.id)).rejects.toMatchObject({ code: 'failed_precondition', message: /too old/ });
    const refusing = await linked({
      onReboot: () => {
        throw new ConnectError('Access\ndenied', Code.FailedPrecondition);
      },
    });
    await expect(reboot(refusing.device.id)).rejects.toMatchObject({
      code: 'failed_precondition',
      subject: 'Reboot refused',
      message: 'bench-pi says: Access denied',
    });
  });

  it('is nothing any more once it is deleted: its link is cut, and its key opens nothing', async () => {
    const { device, agent } = await linked();
    world.neighbours.devices.delete(device.id);
    await world.publish({ case: 'deviceDeleted', value: { deviceId: device.id } } as never);
    await until(() => !agent.alive && world.app.get(Links).get(device.id) === undefined, 2_000);
    const refused = await FakeAgent.dial(world.url, await dialToken(device)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 404 });
  });

  it('is cut as well when the news of its deletion came before its link', async () => {
    const device = world.neighbours.device();
    const report = Promise.withResolvers<undefined>();
    world.neighbours.beforeReport = () => report.promise;
    const agent = await world.agent(device);
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    world.neighbours.devices.delete(device.id);
    report.resolve(undefined);
    await until(() => !agent.alive && world.app.get(Links).get(device.id) === undefined, 2_000);
  });
});
