import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startRedis } from '@warren/infra/redis';
import { until } from '@warren/infra/until';
import { SIGNALS } from '@warren/platform/broker/keys';
import { Fault } from '@warren/platform/errors/fault';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { World, type Browser } from './world.ts';

const ENDED_MS = 2_000;
const HOUR_MS = 3_600_000;
const REASON = 'Your session has ended. Sign in again.';

describe('what a browser session has opened', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let admin: Redis;
  let world: World;

  beforeAll(async () => {
    redis = await startRedis();
    admin = new Redis(redis.url);
    world = await World.start({ redis: redis.url, nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  beforeEach(() => {
    world.neighbours.beforeCheck = async () => {};
    world.neighbours.checked.length = 0;
  });
  afterAll(async () => {
    await world?.stop();
    admin?.disconnect();
    await redis?.stop();
  });

  const signedIn = (left = HOUR_MS): string => {
    const session = randomUUID();
    world.neighbours.sessionEnds.set(session, performance.now() + left);
    return session;
  };
  const linked = async () => {
    const device = world.neighbours.device();
    const agent = await world.agent(device);
    await until(() => world.presence(device.id).length > 0);
    return { device, agent };
  };
  const terminalOf = async (session: string) => {
    const { device, agent } = await linked();
    const browser = world.browser(device.id, { session });
    browser.socket.emit('register', { cols: 80, rows: 24 });
    await until(() => browser.heard('register_status')?.['success'] === true);
    return { browser, agent };
  };
  /** A terminal of a session that has so long left from now on, however long the terminal took to open. */
  const expiring = async (left: number) => {
    const session = signedIn();
    const opened = Promise.withResolvers<undefined>();
    world.neighbours.beforeCheck = () => opened.promise;
    const terminal = await terminalOf(session);
    world.neighbours.sessionEnds.set(session, performance.now() + left);
    world.neighbours.beforeCheck = async () => {};
    opened.resolve(undefined);
    return { session, ...terminal };
  };
  const signal = (...sessions: string[]) => admin.publish(SIGNALS.sessionsEnded, sessions.join(' '));
  const isAskedAbout = (session: string) => world.neighbours.checked.some((use) => use.session === session);
  /** How long it takes from the cause until the browser's socket is ended. */
  const ending = async ({ received }: Browser, cause: () => unknown): Promise<number> => {
    await cause();
    const from = performance.now();
    await until(() => received.some(([event]) => event === 'disconnect'));
    return performance.now() - from;
  };

  it('ends within two seconds of the sign-out, and the terminal stays on the device', async () => {
    const [session, other] = [signedIn(), signedIn()];
    const mine = await terminalOf(session);
    const theirs = await terminalOf(other);
    expect(await ending(mine.browser, () => signal(randomUUID(), session))).toBeLessThan(ENDED_MS);
    expect(mine.browser.heard('client_disconnect')).toEqual({ reason: REASON, code: 'signed_out' });
    expect(mine.browser.heard('exit')).toBeUndefined();
    const [terminal] = mine.agent.terminals;
    await until(() => terminal?.left === true);
    expect(terminal?.inputs.map(({ kind }) => kind.case)).not.toContain('close');
    expect(mine.agent.asked).toEqual([]);
    expect(theirs.browser.socket.connected).toBe(true);
  });

  /** A terminal of a guest of a user. */
  const guestTerminal = async (session: string) => {
    const { device, agent } = await linked();
    const [guest, userId] = [randomUUID(), randomUUID()];
    const token = world.neighbours.token(device.id, userId, device.accountId, { session, guest });
    const browser = world.browser(device.id, { userId, token });
    browser.socket.emit('register', { cols: 80, rows: 24 });
    await until(() => browser.heard('register_status')?.['success'] === true);
    return { browser, agent, guest, userId, deviceId: device.id };
  };
  const isClosed = (agent: Awaited<ReturnType<typeof linked>>['agent']) =>
    agent.terminals[0]?.inputs.some(({ kind }) => kind.case === 'close') === true;

  it('of a guest ends on the device too, and belongs to the guest there', async () => {
    const session = signedIn();
    const { browser, agent, guest } = await guestTerminal(session);
    const [opened] = agent.terminals[0]?.inputs ?? [];
    expect(opened?.kind.value).toMatchObject({ userId: guest, userEmail: `guest-${guest}@guest.invalid` });
    expect(await ending(browser, () => signal(session))).toBeLessThan(ENDED_MS);
    expect(browser.heard('register_status')).toMatchObject({
      code: 'withdrawn',
      error: 'Your guest access has ended.',
    });
    await until(() => isClosed(agent));
  });

  it('of a guest ends on the device when the guest leaves', async () => {
    const { browser, agent } = await guestTerminal(signedIn());
    browser.socket.disconnect();
    await until(() => isClosed(agent) && agent.terminals[0]?.left === true);
  });

  it('of a guest ends when the link does, and what is detached with it', async () => {
    const { browser, agent, guest, userId, deviceId } = await guestTerminal(signedIn());
    const value = { linkId: 'link', deviceId, endedGuests: [guest] };
    const own = world.browser(deviceId, { userId, accountId: world.neighbours.devices.get(deviceId)?.accountId ?? '' });
    await until(() => own.socket.connected);
    const published = () => world.publish({ case: 'guestLinkChanged', value } as never);
    expect(await ending(browser, published)).toBeLessThan(ENDED_MS);
    await until(() => agent.asked.length > 0);
    expect(JSON.stringify(agent.asked)).toContain(guest);
    expect(own.socket.connected).toBe(true);
  });

  it.each([
    ['logs', SocketPurpose.LOGS],
    ['desktop', SocketPurpose.DESKTOP],
  ])('ends as %s too', async (namespace, purpose) => {
    const session = signedIn();
    const { device } = await linked();
    const browser = world.browser(device.id, { session, namespace, purpose });
    await until(() => browser.socket.connected);
    expect(await ending(browser, () => signal(session))).toBeLessThan(ENDED_MS);
    expect(browser.heard('client_disconnect')).toMatchObject({ reason: REASON });
  });

  it('ends when the session ended while the socket was being made', async () => {
    const session = randomUUID();
    const { device } = await linked();
    const browser = world.browser(device.id, { session });
    await until(() => browser.heard('client_disconnect') !== undefined);
  });

  it('ends within two seconds of the expiry, of which there is no signal', async () => {
    const { session, browser } = await expiring(3_000);
    await until(() => browser.heard('disconnect') !== undefined);
    const ended = performance.now();
    const expired = world.neighbours.sessionEnds.get(session) ?? 0;
    expect(ended).toBeGreaterThanOrEqual(expired);
    expect(ended - expired).toBeLessThan(ENDED_MS);
  });

  it('ends by asking when the signal was lost', async () => {
    const session = signedIn();
    const { browser } = await terminalOf(session);
    await until(() => isAskedAbout(session));
    world.neighbours.sessionEnds.delete(session);
    await until(() => browser.heard('disconnect') !== undefined, 20_000);
  });

  it('is asked about at once when signals may have been lost', async () => {
    const session = signedIn();
    const { browser } = await terminalOf(session);
    await until(() => isAskedAbout(session));
    world.neighbours.sessionEnds.delete(session);
    const killed = () => admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    expect(await ending(browser, killed)).toBeLessThan(ENDED_MS * 2);
  });

  it('stays while identity is unavailable, until the last known expiry', async () => {
    const session = signedIn();
    const { browser } = await terminalOf(session);
    await until(() => isAskedAbout(session));
    const soon = await expiring(3_000);
    await until(() => isAskedAbout(soon.session));
    let refused = 0;
    world.neighbours.beforeCheck = async () => {
      refused++;
      throw new Fault('unavailable', 'Identity is away.');
    };
    await until(() => soon.browser.heard('disconnect') !== undefined);
    expect(refused).toBeGreaterThan(0);
    expect(browser.socket.connected).toBe(true);
  });

  it('is in use while its person types, and not while only output comes', async () => {
    const session = signedIn();
    // It is asked about every four seconds, and never ends.
    world.neighbours.beforeCheck = async () =>
      void world.neighbours.sessionEnds.set(session, performance.now() + 8_000);
    const { browser, agent } = await terminalOf(session);
    const uses = () => world.neighbours.checked.filter((use) => use.session === session).map(({ used }) => used);
    await agent.terminals[0]?.print('output');
    await until(() => uses().length > 1);
    expect(uses()).not.toContain(true);
    browser.socket.emit('input', { input: 'a' });
    await until(() => uses().lastIndexOf(true) >= 0 && uses().at(-1) === false);
    expect(uses().filter((used) => used)).toHaveLength(1);
  });

  it('of a token that names no session is not asked about', async () => {
    const { device } = await linked();
    const unbound = world.browser(device.id);
    const session = signedIn();
    await terminalOf(session);
    await until(() => isAskedAbout(session));
    expect(world.neighbours.checked.map((use) => use.session)).not.toContain('');
    expect(unbound.socket.connected).toBe(true);
  });
});
