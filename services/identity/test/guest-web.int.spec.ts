import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sessionKey } from '@warren/platform/broker/keys';
import { userCaller } from '@warren/platform/rpc/caller';
import { DevicePermission } from '@warren/proto/common/v1/common';
import { GuestLinkState } from '@warren/proto/identity/v1/guests';
import { SocketPurpose, StoredSessionSchema } from '@warren/proto/identity/v1/identity';
import { hashOf } from '../src/secrets/secret.ts';
import { SessionStore } from '../src/sessions/session.store.ts';
import { codeOf, from, GuestWorld, WEB, type Made } from './guest.world.ts';
import { gateway, tunnels } from './identity.process.ts';
import { until } from '@warren/infra/until';

let world: GuestWorld;

beforeAll(async () => {
  world = await GuestWorld.start();
});
beforeEach(() => world.allow());
afterAll(() => world?.stop(), 30_000);

const guestOf = async (secret: string) => (await world.client.verifyGuest(from(), { secret })).session?.token?.guest;

describe('a guest link to a web service', () => {
  it('names the service in the link, in the session of its guest and in the audit trail', async () => {
    const ada = world.somebody();
    const made = await world.make(ada);
    expect(made.link).toMatchObject({ permission: DevicePermission.WEB, web: WEB });
    const { session: secret } = await world.redeem(made);
    const { session, link } = await world.client.verifyGuest(from(), { secret });
    expect(session?.token?.guest).toMatchObject({
      permission: DevicePermission.WEB,
      deviceId: made.deviceId,
      web: WEB,
    });
    expect(link).toMatchObject({ web: WEB, uses: 1 });
    expect(await world.identity.redis.get(sessionKey(hashOf(secret)))).toContain('"port":1880');
    const created = () =>
      world.heard.find(({ action, target }) => action === 'guest_link.create' && target?.id === made.id);
    await until(async () => created() !== undefined);
    expect(JSON.stringify(created())).toContain('127.0.0.1:1880');
    // Whose page is open without a request is seen by the page of the hub that asks.
    const { links } = await world.client.listGuestLinks(userCaller(ada), {
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
    expect(await codeOf(world.make(world.somebody(), more))).toBe('invalid_argument port');
  });

  it('lets tunnels take a ticket of a guest only if it holds guests to their service', async () => {
    const ada = world.somebody();
    const made = await world.make(ada);
    const { session: secret } = await world.redeem(made);
    const { token, guest } = (await world.client.verifyGuest(from(), { secret })).session?.token ?? {};
    const user = { ...ada, ...(token && { token }), ...(guest && { guest }) };
    const opening = { user, deviceId: made.deviceId, purpose: SocketPurpose.GUEST_WEB, session: secret, state: 's' };
    const { client } = world.identity;
    const ticket = async () => (await client.createSocketToken(gateway, opening)).token;
    const use = { userId: '', purpose: SocketPurpose.WEB };
    // As a replica of the version before asks.
    const before = client.redeemSocketToken(tunnels, { ...use, token: await ticket() });
    expect(await codeOf(before)).toBe('permission_denied');
    const desktop = { ...use, purpose: SocketPurpose.DESKTOP, guests: true, userId: ada.userId };
    expect(await codeOf(client.redeemSocketToken(tunnels, { ...desktop, token: await ticket() }))).toBe(
      'permission_denied',
    );
    const taken = await client.redeemSocketToken(tunnels, { ...use, guests: true, token: await ticket() });
    expect(taken).toMatchObject({ deviceId: made.deviceId, user: { guest: { web: WEB } } });
  });
});

describe('a link while replicas of two versions run', () => {
  const storeAsBefore = async (secret: string): Promise<void> => {
    const store = world.identity.app.get(SessionStore);
    const [live] = await store.load([hashOf(secret)]);
    if (!live) throw new Error('The guest has no session.');
    const entry = create(StoredSessionSchema, live.session);
    const guest = entry.token?.guest;
    if (guest) Object.assign(guest, { permission: DevicePermission.UNSPECIFIED, web: undefined });
    await store.saveToken(live.hash, entry, 60_000);
  };
  const renamed = (made: Made, purpose: string) =>
    world.identity.sql(`UPDATE guest_links SET purpose = '${purpose}' WHERE id = '${made.id}'`);

  it('is what its row says for a guest whose session an identity of before has made', async () => {
    const made = await world.make(world.somebody());
    const { session: secret } = await world.redeem(made);
    await storeAsBefore(secret);
    expect(await guestOf(secret)).toMatchObject({ permission: DevicePermission.WEB, web: WEB });
    const [stored] = await world.identity.app.get(SessionStore).load([hashOf(secret)]);
    expect(stored?.session.token?.guest).toMatchObject({ permission: DevicePermission.WEB, web: WEB });
    expect(stored?.left).toBeGreaterThan(2_000);
  });

  it('is neither used nor ended with a purpose of a later version', async () => {
    const [made, other] = [await world.make(world.somebody()), await world.make(world.somebody())];
    const { session: secret } = await world.redeem(made);
    await Promise.all([renamed(made, 'files'), renamed(other, 'files')]);
    expect(await codeOf(guestOf(secret))).toBe('unavailable');
    expect(await codeOf(world.redeem(other))).toBe('unavailable');
    await Promise.all([renamed(made, 'web'), renamed(other, 'web')]);
    expect(await guestOf(secret)).toMatchObject({ web: WEB });
    expect(await world.stateOf(other)).toBe(GuestLinkState.OPEN);
    expect((await world.client.lookUpGuestLink(from(), other)).link?.uses).toBe(0);
  });
});
