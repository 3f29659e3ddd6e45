import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { sessionKey } from '@warren/platform/broker/keys';
import { commonConfig } from '@warren/platform/config/common';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent, type EventData } from '@warren/platform/events/event';
import { createRpcClient } from '@warren/platform/rpc/client';
import { serviceCaller, userCaller } from '@warren/platform/rpc/caller';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcClient, RpcHandlers } from '@warren/platform/rpc/types';
import { ServiceModule } from '@warren/platform/service/service.module';
import { DevicePermission, Role, Status, UserCallerSchema, type UserCaller } from '@warren/proto/common/v1/common';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { GuestLinksService, GuestLinkState } from '@warren/proto/identity/v1/guests';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { randomUUID } from 'node:crypto';
import { hashOf } from '../src/secrets/secret.ts';
import { gateway, startIdentity, tunnels, type IdentityProcess } from './identity.process.ts';
import { until } from './until.ts';

const WEB = { slug: 'pi-x7k2', ip: '127.0.0.1', port: 1880 };
const WANTED = { deviceName: 'pump-7', permission: DevicePermission.WEB, minutes: 60, pin: '', uses: 2, web: WEB };
const from = () => serviceCaller('gateway', randomUUID());

let identity: IdentityProcess;
let neighbours: INestApplicationContext;
let client: RpcClient<typeof GuestLinksService>;
const heard: EventData<'audit'>[] = [];
/** What tenancy and the devices service say of everybody. */
const now = { guestLinks: true, permissions: [] as DevicePermission[], accountId: '' };
const known = new Map<string, UserCaller>();
/** The devices that were asked about. */
const asked: string[] = [];

/** Tenancy and the devices service, as far as identity asks them. */
async function startNeighbours(natsUrl: string): Promise<INestApplicationContext> {
  const config = commonConfig.parse({ NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL: natsUrl });
  class ProcessModule {}
  Module({ imports: [ServiceModule.forRoot({ name: 'tenancy', config })] })(ProcessModule);
  const app = await NestFactory.create(ProcessModule, { logger: false, abortOnError: false });
  const tenancy: Partial<RpcHandlers<typeof TenancyService>> = {
    resolveMember: async (_caller, { email }) => {
      const { userId: id, accountId, role } = known.get(email) ?? {};
      if (id === undefined) return {};
      const user = {
        id,
        email,
        name: 'Ada',
        accountId: accountId ?? '',
        role: role ?? Role.MEMBER,
        status: Status.ACTIVE,
      };
      return { user, accountStatus: Status.ACTIVE, guestLinks: now.guestLinks };
    },
  };
  const devices: Partial<RpcHandlers<typeof DevicesService>> = {
    checkDeviceAccess: async (_caller, { user, deviceIds }) => {
      const rights = now.permissions.map((permission) => ({ permission, grantId: 'g' }));
      const accountId = now.accountId || (user?.accountId ?? '');
      asked.push(...deviceIds);
      return { devices: deviceIds.map((deviceId) => ({ deviceId, accountId, rights })) };
    },
  };
  app.get(RpcServer).serve(TenancyService, tenancy as RpcHandlers<typeof TenancyService>);
  app.get(RpcServer).serve(DevicesService, devices as RpcHandlers<typeof DevicesService>);
  return app.init();
}

beforeAll(async () => {
  identity = await startIdentity();
  neighbours = await startNeighbours(identity.natsUrl);
  identity.app.get(EventBus).listen(({ kind }) => {
    if (kind.case === 'audit') heard.push(kind.value);
  });
  client = createRpcClient(GuestLinksService, identity.app.get(NatsTransport));
}, 60_000);
beforeEach(() => {
  Object.assign(now, { guestLinks: true, permissions: [DevicePermission.VIEW, DevicePermission.WEB], accountId: '' });
});
afterAll(async () => {
  await neighbours?.close();
  await identity?.stop();
}, 30_000);

function somebody(): UserCaller {
  const email = `${randomUUID()}@example.com`;
  const of = { userId: randomUUID(), email, name: 'Ada', accountId: randomUUID(), role: Role.MEMBER };
  const user = create(UserCallerSchema, of);
  known.set(email, user);
  return user;
}
async function make(user: UserCaller, more: object = {}) {
  const wanted = { ...WANTED, deviceId: randomUUID(), accountId: user.accountId, ...more };
  const { link, secret } = await client.createGuestLink(userCaller(user), wanted);
  return { id: link?.id ?? '', deviceId: link?.deviceId ?? '', secret, link };
}
type Made = Awaited<ReturnType<typeof make>>;
const redeem = ({ id, secret }: Made) => client.redeemGuestLink(from(), { id, secret, name: 'Grace' });
const stateOf = async ({ id, secret }: Made) =>
  (await client.lookUpGuestLink(from(), { id, secret })).link?.state ?? GuestLinkState.UNSPECIFIED;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'fine',
    ({ code, problems }: { code: string; problems?: { field: string }[] }) =>
      [code, problems?.[0]?.field].join(' ').trim(),
  );
const endOf = ({ id }: Made) => heard.find(({ action, target }) => action === 'guest_link.end' && target?.id === id);

describe('a guest link to a web service', () => {
  it('names the service in the link, in the session of its guest and in the audit trail', async () => {
    const ada = somebody();
    const made = await make(ada);
    expect(made.link).toMatchObject({ permission: DevicePermission.WEB, web: WEB });
    const { session: secret } = await redeem(made);
    const { session, link } = await client.verifyGuest(from(), { secret });
    expect(session?.token?.guest).toMatchObject({
      permission: DevicePermission.WEB,
      deviceId: made.deviceId,
      web: WEB,
    });
    expect(link).toMatchObject({ web: WEB, uses: 1 });
    expect(await identity.redis.get(sessionKey(hashOf(secret)))).toContain('"port":1880');
    await until('its creation is recorded', async () =>
      heard.some(({ action, target }) => action === 'guest_link.create' && target?.id === made.id),
    );
    const created = heard.find(({ action, target }) => action === 'guest_link.create' && target?.id === made.id);
    expect(JSON.stringify(created)).toContain('127.0.0.1:1880');
    // Whose page is open without a request is seen by the page of the hub that asks.
    const { links } = await client.listGuestLinks(userCaller(ada), {
      deviceId: made.deviceId,
      accountId: ada.accountId,
    });
    expect(links[0]?.guests).toMatchObject([{ name: 'Grace', live: true }]);
  });

  it.each([
    ['without a service', { web: undefined }],
    ['with a port that is none', { web: { ...WEB, port: 70_000 } }],
    ['with a service for a terminal', { permission: DevicePermission.TERMINAL }],
  ])('is refused %s', async (_what, more) => {
    expect(await codeOf(make(somebody(), more))).toBe('invalid_argument port');
  });

  it('lets tunnels take a ticket of a guest only if it holds guests to their service', async () => {
    const ada = somebody();
    const made = await make(ada);
    const { session: secret } = await redeem(made);
    const { token, guest } = (await client.verifyGuest(from(), { secret })).session?.token ?? {};
    const user = { ...ada, ...(token && { token }), ...(guest && { guest }) };
    const opening = { user, deviceId: made.deviceId, purpose: SocketPurpose.GUEST_WEB, session: secret, state: 's' };
    const ticket = async () => (await identity.client.createSocketToken(gateway, opening)).token;
    const use = { userId: '', purpose: SocketPurpose.WEB };
    // As a replica of the version before asks.
    const before = identity.client.redeemSocketToken(tunnels, { ...use, token: await ticket() });
    expect(await codeOf(before)).toBe('permission_denied');
    const desktop = { ...use, purpose: SocketPurpose.DESKTOP, guests: true, userId: ada.userId };
    expect(await codeOf(identity.client.redeemSocketToken(tunnels, { ...desktop, token: await ticket() }))).toBe(
      'permission_denied',
    );
    const taken = await identity.client.redeemSocketToken(tunnels, { ...use, guests: true, token: await ticket() });
    expect(taken).toMatchObject({ deviceId: made.deviceId, user: { guest: { web: WEB } } });
  });
});

describe('a link whose maker loses what it gives', () => {
  const publish = (user: UserCaller, kind: object, actor = user.userId) =>
    identity.app.get(EventBus).publish(newEvent({ accountId: user.accountId, actor, kind: kind as never }));
  const accessChanged = (user: UserCaller) =>
    publish(user, { case: 'accessChanged', value: { accountId: user.accountId } });
  const deviceChanged = (user: UserCaller, { deviceId }: Made, actor?: string) =>
    publish(user, { case: 'deviceChanged', value: { deviceId } }, actor);
  type Loss = (user: UserCaller, made: Made) => Promise<unknown>;
  const losses: [string, string, Loss][] = [
    [
      'a grant is withdrawn',
      'may not open',
      (user) => ((now.permissions = [DevicePermission.VIEW]), accessChanged(user)),
    ],
    ['guest links are switched off', 'switched off', (user) => ((now.guestLinks = false), accessChanged(user))],
    [
      'labels of the device change',
      'may not open',
      (user, made) => ((now.permissions = []), deviceChanged(user, made)),
    ],
    [
      'the device is in another account',
      'may not open',
      (user, made) => ((now.accountId = randomUUID()), deviceChanged(user, made)),
    ],
    [
      'the group of the maker is another one',
      'may not open',
      (user) => {
        now.permissions = [DevicePermission.VIEW];
        return publish(user, { case: 'userChanged', value: { userId: user.userId, email: user.email, active: true } });
      },
    ],
  ];

  it.each(losses)('ends for good when %s', async (_when, reason, lose) => {
    const ada = somebody();
    const made = await make(ada);
    await lose(ada, made);
    await until('the link ends', async () => (await stateOf(made)) === GuestLinkState.ENDED);
    await until('its end is recorded', async () => endOf(made) !== undefined);
    expect(endOf(made)?.reason).toContain(reason);
    Object.assign(now, { guestLinks: true, permissions: [DevicePermission.WEB], accountId: '' });
    await accessChanged(ada);
    expect(await codeOf(redeem(made))).toBe('failed_precondition');
  });

  it('stays open with the right, and for what the device reports itself', async () => {
    const [ada, other] = [somebody(), somebody()];
    const made = await make(ada);
    await accessChanged(ada);
    await until('the right is looked at', async () => asked.includes(made.deviceId));
    now.permissions = [];
    await deviceChanged(ada, made, '');
    // Events come in their order, so a later one is handled after those.
    const last = await make(other);
    await accessChanged(other);
    await until('the last one has ended', async () => (await stateOf(last)) === GuestLinkState.ENDED);
    expect(await stateOf(made)).toBe(GuestLinkState.OPEN);
  });
});
