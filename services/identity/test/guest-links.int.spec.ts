import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { sessionKey, SIGNALS } from '@warren/platform/broker/keys';
import { Fault } from '@warren/platform/errors/fault';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent, type EventData } from '@warren/platform/events/event';
import { createRpcClient } from '@warren/platform/rpc/client';
import { serviceCaller, userCaller, type Caller } from '@warren/platform/rpc/caller';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import type { RpcClient } from '@warren/platform/rpc/types';
import { AuditActorKind, AuditOutcome } from '@warren/proto/audit/v1/audit';
import { DevicePermission, Role, UserCallerSchema, type UserCaller } from '@warren/proto/common/v1/common';
import { GuestLinksService, GuestLinkState, type GuestLink } from '@warren/proto/identity/v1/guests';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { GUEST_LINK_LIMITS } from '@warren/rules/guest-links';
import { randomUUID } from 'node:crypto';
import { GuestLinksService as Links } from '../src/guests/guest.links.service.ts';
import { hashOf } from '../src/secrets/secret.ts';
import { SessionStore } from '../src/sessions/session.store.ts';
import { RefusalLimit } from '../src/sign-in/refusal.limit.ts';
import { gateway, startIdentity, tunnels, type IdentityProcess } from './identity.process.ts';
import { until } from '@warren/infra/until';

let identity: IdentityProcess;
let client: RpcClient<typeof GuestLinksService>;
const heard: EventData<'audit'>[] = [];
const changes: EventData<'guestLinkChanged'>[] = [];
const signals: string[] = [];

beforeAll(async () => {
  identity = await startIdentity();
  identity.app.get(EventBus).listen(({ kind }) => {
    if (kind.case === 'audit') heard.push(kind.value);
    if (kind.case === 'guestLinkChanged') changes.push(kind.value);
  });
  client = createRpcClient(GuestLinksService, identity.app.get(NatsTransport));
  const subscriber = identity.redis.duplicate();
  await subscriber.subscribe(SIGNALS.sessionsEnded);
  subscriber.on('message', (_channel, text) => signals.push(...text.split(' ')));
  stopSignals = () => subscriber.disconnect();
});
let stopSignals = () => {};
afterAll(async () => {
  stopSignals();
  await identity?.stop();
});

interface Somebody {
  user: UserCaller;
  caller: Caller;
}

function somebody(role = Role.MEMBER, accountId: string = randomUUID(), more: object = {}): Somebody {
  const person = { userId: randomUUID(), email: `${randomUUID()}@Example.com`, name: 'Ada', accountId, role };
  const user = create(UserCallerSchema, { ...person, ...more });
  return { user, caller: userCaller(user) };
}

const PIN = '4711';
const WANTED = { deviceName: 'pump-7', permission: DevicePermission.TERMINAL, minutes: 60, pin: PIN, uses: 2 };
const ORIGIN = { address: '203.0.113.7', userAgent: 'Firefox' };
const from = () => serviceCaller('gateway', randomUUID(), ORIGIN);

type Made = { link: GuestLink; secret: string };
async function make(who: Somebody, more: Partial<typeof WANTED> & { deviceId?: string } = {}): Promise<Made> {
  const wanted = { ...WANTED, deviceId: randomUUID(), accountId: who.user.accountId, ...more };
  const { link, secret } = await client.createGuestLink(who.caller, wanted);
  return { link: link as GuestLink, secret };
}
const redeem = ({ link: { id }, secret }: Made, more: object = {}) =>
  client.redeemGuestLink(from(), { id, secret, name: 'Grace', pin: PIN, ...more });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'fine',
    (error: { code: string; problems?: { field: string }[] }) =>
      [error.code, error.problems?.[0]?.field].join(' ').trim(),
  );
const stateOf = async ({ link: { id }, secret }: Made) =>
  GuestLinkState[(await client.lookUpGuestLink(from(), { id, secret })).link?.state ?? 0];
const recorded = (linkId: string) =>
  heard
    .filter(({ target, action }) => target?.id === linkId && action.startsWith('guest_link.'))
    .map(
      ({ action, outcome, actor }) =>
        `${action} ${AuditOutcome[outcome]} ${AuditActorKind[actor?.kind ?? 0]} ${actor?.name}`,
    );
const listed = async (who: Somebody, { deviceId, accountId }: GuestLink) =>
  (await client.listGuestLinks(who.caller, { deviceId, accountId })).links;

describe('a guest link', () => {
  it('lets a guest in as its maker, narrowed to one device and permission, and stores hashes alone', async () => {
    const ada = somebody();
    const made = await make(ada);
    const { session: secret, expires } = await redeem(made);
    expect(Number(expires?.seconds)).toBeCloseTo(Date.now() / 1_000 + 3_600, -2);
    const { session, link } = await client.verifyGuest(from(), { secret });
    const guest = { name: 'Grace', linkId: made.link.id, deviceId: made.link.deviceId, permission: WANTED.permission };
    expect(session).toMatchObject({
      id: hashOf(secret),
      saml: { email: ada.user.email.toLowerCase() },
      token: {
        userId: ada.user.userId,
        accountId: ada.user.accountId,
        token: { permissions: ['devices.open', 'devices.read'], filter: `id=${made.link.deviceId}` },
        guest,
      },
    });
    expect(link).toMatchObject({ id: made.link.id, uses: 1, makerName: 'Ada' });
    const stored = JSON.stringify([
      await identity.sql('SELECT * FROM guest_links'),
      await identity.sql('SELECT * FROM guests'),
      await identity.redis.get(sessionKey(hashOf(secret))),
    ]);
    for (const hidden of [secret, made.secret, `"${PIN}"`]) expect(stored).not.toContain(hidden);
    await until(async () => recorded(made.link.id).length === 2);
    expect(recorded(made.link.id)).toEqual([
      'guest_link.create SUCCESS USER Ada',
      'guest_link.redeem SUCCESS GUEST Grace',
    ]);
    const joined = heard.find(({ action, target }) => action === 'guest_link.redeem' && target?.id === made.link.id);
    expect(joined).toMatchObject({ actor: { onBehalfOf: ada.user.userId }, origin: { address: ORIGIN.address } });
  });

  it('is no session of a user, and its guest makes no links', async () => {
    const ada = somebody();
    const { session: secret } = await redeem(await make(ada));
    expect(await codeOf(identity.client.getSession(gateway, { session: secret }))).toBe('unauthenticated');
    const { session } = await client.verifyGuest(from(), { secret });
    const { token, guest } = session?.token ?? {};
    const narrowed = { ...ada.user, ...(token && { token }), ...(guest && { guest }) };
    const caller = userCaller(create(UserCallerSchema, narrowed));
    const wanted = { ...WANTED, deviceId: randomUUID(), accountId: ada.user.accountId };
    expect(await codeOf(client.createGuestLink(caller, wanted))).toBe('permission_denied');
    expect(await codeOf(client.verifyGuest(from(), { secret: 's'.repeat(43) }))).toBe('unauthenticated');
  });

  it('takes its secret alone, and a PIN that blocks it after five wrong ones', async () => {
    const ada = somebody();
    const made = await make(ada);
    const other = await make(ada);
    expect(await codeOf(redeem({ ...made, secret: other.secret }))).toBe('not_found');
    for (let wrong = 1; wrong <= GUEST_LINK_LIMITS.wrongPins; wrong++)
      expect(await codeOf(redeem(made, { pin: '0000' }))).toBe('invalid_argument pin');
    expect(await codeOf(redeem(made))).toBe('failed_precondition');
    expect(await stateOf(made)).toBe('BLOCKED');
    const [link] = await listed(ada, made.link);
    expect(link).toMatchObject({ wrongPins: 5, state: GuestLinkState.BLOCKED, guests: [] });
    await until(async () => recorded(made.link.id).length === 7);
    expect(recorded(made.link.id)[1]).toBe('guest_link.redeem REFUSED GUEST Grace');
  });

  it('counts no refusals of people without its secret', async () => {
    const made = await make(somebody());
    const admits = jest.spyOn(identity.app.get(RefusalLimit), 'admits');
    expect(await codeOf(redeem({ ...made, secret: 's'.repeat(43) }))).toBe('not_found');
    expect(await codeOf(client.redeemGuestLink(from(), { id: randomUUID(), secret: made.secret, name: 'Eve' }))).toBe(
      'not_found',
    );
    expect(admits).not.toHaveBeenCalled();
    expect(await codeOf(redeem(made, { pin: '0000' }))).toBe('invalid_argument pin');
    expect(admits).toHaveBeenCalledTimes(1);
    // A wrong PIN counts also while Redis does not answer.
    admits.mockRejectedValueOnce(new Fault('unavailable', 'Redis is away.'));
    expect(await codeOf(redeem(made, { pin: '0000' }))).toBe('invalid_argument pin');
    admits.mockRestore();
    expect(await identity.sql(`SELECT wrong_pins FROM guest_links WHERE id = '${made.link.id}'`)).toEqual([
      { wrong_pins: 2 },
    ]);
  });

  it('lets its guest in although Redis did not answer', async () => {
    const made = await make(somebody());
    const failing = jest.spyOn(identity.app.get(SessionStore), 'saveToken');
    failing.mockRejectedValueOnce(new Fault('unavailable', 'Redis is away.'));
    const { session: secret } = await redeem(made);
    expect(failing).toHaveBeenCalledTimes(1);
    expect(await client.verifyGuest(from(), { secret })).toMatchObject({ link: { uses: 1 } });
    failing.mockRestore();
  });

  it('lets in no more guests than it may, also when they come at once', async () => {
    const made = await make(somebody(), { pin: '', uses: 3 });
    const results = await Promise.all(Array.from({ length: 8 }, () => codeOf(redeem(made, { pin: '' }))));
    expect(results.filter((one) => one === 'fine')).toHaveLength(3);
    expect(await stateOf(made)).toBe('USED_UP');
  });

  it.each([
    ['minutes', { minutes: GUEST_LINK_LIMITS.longest + 1 }],
    ['uses', { uses: 0 }],
    ['pin', { pin: 'abcd' }],
    ['purpose', { permission: DevicePermission.MANAGE }],
  ])('names %s if it does not fit', async (field, more) => {
    expect(await codeOf(make(somebody(), more))).toBe(`invalid_argument ${field}`);
  });

  it('is for devices of the own account, of people, and bounded for each device', async () => {
    const ada = somebody();
    const wanted = { ...WANTED, deviceId: randomUUID(), accountId: randomUUID() };
    expect(await codeOf(client.createGuestLink(ada.caller, wanted))).toBe('permission_denied');
    const program = somebody(Role.MEMBER, ada.user.accountId, { serviceAccount: true });
    expect(await codeOf(make(program))).toBe('permission_denied');
    const deviceId = randomUUID();
    for (let n = 0; n < GUEST_LINK_LIMITS.perDevice; n++) await make(ada, { deviceId, pin: '' });
    expect(await codeOf(make(ada, { deviceId }))).toBe('failed_precondition');
  });
});

describe('the end of a guest link', () => {
  /** A guest with an open socket and an unused token of one. */
  async function visit(maker: Somebody, minutes = 60) {
    const made = await make(maker, { minutes });
    const { session: secret } = await redeem(made);
    const { session } = await client.verifyGuest(from(), { secret });
    const hash = session?.id ?? '';
    const { token, guest } = session?.token ?? {};
    const user = { ...maker.user, ...(token && { token }), ...(guest && { guest }) };
    const opening = { user, deviceId: made.link.deviceId, purpose: SocketPurpose.TERMINAL, session: secret };
    const socket = await identity.client.createSocketToken(gateway, opening);
    await identity.client.checkSessions(tunnels, { sessions: [{ session: hash, used: false }] });
    return { made, secret, hash, guest, socket };
  }
  type Visit = Awaited<ReturnType<typeof visit>>;

  /** Everything of a guest has ended. */
  async function isOut({ made, secret, hash, guest, socket }: Visit) {
    await until(async () => (await codeOf(client.verifyGuest(from(), { secret }))) === 'unauthenticated');
    await until(async () => signals.includes(hash));
    const ended = () =>
      changes.filter(({ linkId }) => linkId === made.link.id).flatMap(({ endedGuests }) => endedGuests);
    await until(async () => ended().length > 0);
    expect(ended()).toEqual([guest?.id]);
    expect(await identity.client.checkSession(tunnels, { session: hash })).toMatchObject({ alive: false });
    const use = { token: socket.token, userId: made.link.makerId, purpose: SocketPurpose.TERMINAL };
    expect(await codeOf(identity.client.redeemSocketToken(tunnels, use))).toBe('permission_denied');
    expect(await codeOf(redeem(made))).toBe('failed_precondition');
  }

  it('by its maker ends what its guests have open; people of the account see who is there before', async () => {
    const ada = somebody();
    const came = await visit(ada);
    const owner = somebody(Role.OWNER, ada.user.accountId);
    const colleague = somebody(Role.MEMBER, ada.user.accountId);
    const [seen] = await listed(owner, came.made.link);
    expect(seen?.guests).toMatchObject([{ name: 'Grace', address: ORIGIN.address, live: true }]);
    expect(await listed(colleague, came.made.link)).toEqual([]);
    const { id, deviceId } = came.made.link;
    expect(await codeOf(client.endGuestLink(colleague.caller, { id, deviceId }))).toBe('permission_denied');
    expect(await codeOf(client.endGuestLink(somebody(Role.OWNER).caller, { id, deviceId }))).toBe('not_found');
    await client.endGuestLink(ada.caller, { id, deviceId });
    await isOut(came);
    expect(await stateOf(came.made)).toBe('ENDED');
    expect((await listed(owner, came.made.link))[0]).toMatchObject({ guests: [{ live: false }] });
  });

  it('comes with the end of its maker, account or device, and with what the gateway finds', async () => {
    const accountId = randomUUID();
    const owner = somebody(Role.OWNER, accountId);
    const bus = identity.app.get(EventBus);
    const disabled = await visit(owner);
    const { userId, email } = owner.user;
    await bus.publish(
      newEvent({ accountId, actor: '', kind: { case: 'userChanged', value: { userId, email, active: false } } }),
    );
    await isOut(disabled);
    const gone = await visit(somebody(Role.MEMBER, accountId));
    await bus.publish(
      newEvent({ accountId, actor: '', kind: { case: 'accountChanged', value: { accountId, active: false } } }),
    );
    await isOut(gone);
    const deleted = await visit(owner);
    const { deviceId } = deleted.made.link;
    await bus.publish(newEvent({ accountId, actor: '', kind: { case: 'deviceDeleted', value: { deviceId } } }));
    await isOut(deleted);
    const lost = await visit(owner);
    await client.withdrawGuestLink(from(), { id: lost.made.link.id, reason: 'lost' });
    await isOut(lost);
  });

  it('comes with its time', async () => {
    const came = await visit(somebody());
    await identity.sql(`UPDATE guest_links SET expires_at = now() WHERE id = '${came.made.link.id}'`);
    expect(await codeOf(client.verifyGuest(from(), { secret: came.secret }))).toBe('unauthenticated');
    await identity.app.get(Links).sweep();
    // The service sweeps by itself too: its event may come before that of the refusal.
    const end = 'guest_link.end SUCCESS SYSTEM Warren';
    await until(async () => recorded(came.made.link.id).includes(end));
    await isOut(came);
    expect(recorded(came.made.link.id).filter((event) => event === end)).toHaveLength(1);
    expect(await stateOf(came.made)).toBe('EXPIRED');
  });
});
