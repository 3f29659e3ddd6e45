import { AuditOutcome } from '@warren/proto/audit/v1/audit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { SIGNALS } from '@warren/platform/broker/keys';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent } from '@warren/platform/events/event';
import { serviceCaller, userCaller } from '@warren/platform/rpc/caller';
import { Role, type UserCaller } from '@warren/proto/common/v1/common';
import { randomUUID } from 'node:crypto';
import { MAX_SESSIONS } from '../src/sessions/session.index.ts';
import { Seal } from '../src/secrets/seal.ts';
import { hashOf } from '../src/secrets/secret.ts';
import {
  gateway,
  signInRequest,
  startIdentity,
  tunnels,
  type IdentityProcess,
  SESSION_KEY,
} from './identity.process.ts';
import { until } from '@warren/infra/until';

let identity: IdentityProcess;
const isOpen = (session: string) =>
  identity.client.getSession(gateway, { session }).then(
    () => true,
    (error: { code: string }) => {
      if (error.code !== 'unauthenticated') throw error;
      return false;
    },
  );

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

describe('sessions', () => {
  it('open with a sign-in, identify the user, and end with a sign-out', async () => {
    const request = signInRequest({ email: `Ada.${randomUUID()}@Example.com` });
    const { session } = await identity.client.signIn(gateway, request);
    expect(session).toMatch(/^[\w-]{43}$/);
    const found = await identity.client.getSession(gateway, { session });
    expect(found.saml?.email).toBe(request.saml?.email.toLowerCase());
    expect(found.saml?.sessionIndex).toBe(request.saml?.sessionIndex);
    await identity.client.signOut(gateway, { session });
    expect(await isOpen(session)).toBe(false);
    const events = () => identity.audit().filter(({ actor }) => actor === found.saml?.email);
    await until(async () => events().length === 2);
    expect(events().map(({ action }) => action)).toEqual(['session.sign_in', 'session.sign_out']);
    expect(events()[0]).toMatchObject({ address: '192.0.2.7', outcome: AuditOutcome.SUCCESS });
    expect(events()[0]?.target).toBe(events()[1]?.target);
  });

  it('keep one identity for a person over several sign-ins', async () => {
    const email = `${randomUUID()}@example.com`;
    const ids = [];
    for (let n = 0; n < 2; n++) {
      const { session } = await identity.client.signIn(gateway, signInRequest({ email }));
      ids.push((await identity.client.getSession(gateway, { session })).identityId);
    }
    expect(ids[0]).toBe(ids[1]);
  });

  it('end when the same browser signs in again', async () => {
    const first = await identity.client.signIn(gateway, signInRequest());
    const second = await identity.client.signIn(gateway, { ...signInRequest(), previousSession: first.session });
    expect(await isOpen(first.session)).toBe(false);
    expect(await isOpen(second.session)).toBe(true);
  });

  it('are never stored in Redis by their secret', async () => {
    const { session } = await identity.client.signIn(gateway, signInRequest());
    const keys = await identity.redis.keys('*');
    const strings = keys.filter((key) => key.startsWith('identity:session:'));
    expect(keys).toContain(`identity:session:${hashOf(session)}`);
    expect(keys.join()).not.toContain(session);
    expect((await identity.redis.mget(strings)).join()).not.toContain(session);
  });

  it('end for an e-mail, whatever its case, and for no other', async () => {
    const email = `${randomUUID()}@example.com`;
    const mine = await Promise.all([1, 2].map(() => identity.client.signIn(gateway, signInRequest({ email }))));
    const other = await identity.client.signIn(gateway, signInRequest());
    const { ended } = await identity.client.endSessions(gateway, { of: { case: 'email', value: email.toUpperCase() } });
    expect(ended).toBe(2);
    expect(await Promise.all(mine.map(({ session }) => isOpen(session)))).toEqual([false, false]);
    expect(await isOpen(other.session)).toBe(true);
  });

  it('end for a SAML subject: the one of a session index, or all', async () => {
    const nameId = randomUUID();
    const [a, b, c] = await Promise.all(
      ['a', 'b', 'c'].map((sessionIndex) => identity.client.signIn(gateway, signInRequest({ nameId, sessionIndex }))),
    );
    const end = (provider: string, sessionIndex: string) =>
      identity.client.endSessions(gateway, { of: { case: 'subject', value: { provider, nameId, sessionIndex } } });
    expect((await end('another', '')).ended).toBe(0);
    expect((await end('default', 'b')).ended).toBe(1);
    expect(await Promise.all([a, b, c].map((one) => isOpen(one?.session ?? '')))).toEqual([true, false, true]);
    expect((await end('default', '')).ended).toBe(2);
  });

  it("keep the provider's times and ID token, and end by the session's name alone, once for each token", async () => {
    const sessionIndex = randomUUID();
    const request = {
      ...signInRequest({ sessionIndex }),
      authTime: timestampFromMs(1_700_000_000_000),
      idToken: 'a.b.c',
    };
    const { session } = await identity.client.signIn(gateway, request);
    const other = await identity.client.signIn(gateway, signInRequest());
    const { authTime } = await identity.client.getSession(gateway, { session });
    expect(authTime).toEqual(request.authTime);
    const token = { tokenId: randomUUID(), tokenExpires: timestampFromMs(Date.now() + 60_000) };
    const end = () => {
      const value = { provider: 'default', nameId: '', sessionIndex };
      return identity.client.endSessions(gateway, { of: { case: 'subject', value }, ...token });
    };
    expect((await end()).ended).toBe(1);
    expect([await isOpen(session), await isOpen(other.session)]).toEqual([false, true]);
    const again = { ...request, assertionId: randomUUID() };
    const { session: later } = await identity.client.signIn(gateway, again);
    expect((await end()).ended).toBe(0);
    expect((await identity.client.signOut(gateway, { session: later })).idToken).toBe('a.b.c');
    const value = { provider: 'default', nameId: '', sessionIndex: '' };
    await expect(identity.client.endSessions(gateway, { of: { case: 'subject', value } })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  it('are bounded for each e-mail: the oldest ends', async () => {
    const email = `${randomUUID()}@example.com`;
    const sessions = [];
    for (let n = 0; n <= MAX_SESSIONS; n++) {
      sessions.push((await identity.client.signIn(gateway, signInRequest({ email }))).session);
    }
    expect(await isOpen(sessions[0] ?? '')).toBe(false);
    expect(await isOpen(sessions[1] ?? '')).toBe(true);
  });

  it.each([
    ['disabled', 'userChanged', { userId: randomUUID(), active: false }],
    ['deleted', 'userDeleted', { userId: randomUUID() }],
  ] as const)('end when the user is %s', async (_what, kind, data) => {
    const email = `${randomUUID()}@example.com`;
    const { session } = await identity.client.signIn(gateway, signInRequest({ email }));
    const value = { ...data, email };
    await identity.app.get(EventBus).publish(newEvent({ kind: { case: kind, value } as never }));
    await until(async () => !(await isOpen(session)));
  });

  it('stay when the user is changed but active', async () => {
    const email = `${randomUUID()}@example.com`;
    const other = `${randomUUID()}@example.com`;
    const { session } = await identity.client.signIn(gateway, signInRequest({ email }));
    const marker = await identity.client.signIn(gateway, signInRequest({ email: other }));
    const bus = identity.app.get(EventBus);
    await bus.publish(newEvent({ kind: { case: 'userChanged', value: { userId: 'u', email, active: true } } }));
    await bus.publish(newEvent({ kind: { case: 'userDeleted', value: { userId: 'v', email: other } } }));
    await until(async () => !(await isOpen(marker.session)));
    expect(await isOpen(session)).toBe(true);
  });
});

describe("one's own sessions", () => {
  const list = async (session: string) => (await identity.client.listOwnSessions(gateway, { session })).sessions;

  it('are listed with this one marked, newest first, and only their user sees them', async () => {
    const email = `${randomUUID()}@example.com`;
    const old = await identity.client.signIn(gateway, signInRequest({ email }));
    const mine = await identity.client.signIn(gateway, { ...signInRequest({ email }), userAgent: 'an\u0007other' });
    const stranger = await identity.client.signIn(gateway, signInRequest());
    const listed = await list(mine.session);
    expect(listed.map(({ current, remoteAddress, userAgent }) => [current, remoteAddress, userAgent])).toEqual([
      [true, '192.0.2.7', 'an other'],
      [false, '192.0.2.7', 'a browser'],
    ]);
    expect(listed.map(({ id }) => id)).not.toContain(hashOf(old.session));
    expect(await list(stranger.session)).toHaveLength(1);
  });

  it('end one by one, each with a signal to what is open for it', async () => {
    const email = `${randomUUID()}@example.com`;
    const [one, other] = await Promise.all(
      [1, 2].map(async () => (await identity.client.signIn(gateway, signInRequest({ email }))).session),
    );
    const stranger = await identity.client.signIn(gateway, signInRequest());
    const heard: string[] = [];
    const subscriber = identity.redis.duplicate();
    subscriber.on('message', (_channel, text: string) => heard.push(...text.split(' ')));
    await subscriber.subscribe(SIGNALS.sessionsEnded);
    const id = (await list(one ?? '')).find(({ current }) => !current)?.id ?? '';
    const end = (session: string) => identity.client.endOwnSessions(gateway, { session, id });
    await expect(end(stranger.session)).rejects.toMatchObject({ code: 'not_found' });
    expect(await end(one ?? '')).toMatchObject({ ended: 1 });
    expect(await Promise.all([one, other].map((session) => isOpen(session ?? '')))).toEqual([true, false]);
    await until(async () => heard.includes(hashOf(other ?? '')));
    subscriber.disconnect();
    await expect(end(other ?? '')).rejects.toMatchObject({ code: 'unauthenticated' });
    const actions = () => identity.audit().flatMap(({ action, actor }) => (actor === email ? [action] : []));
    await until(async () => actions().length === 3);
    expect(actions()).toEqual(['session.sign_in', 'session.sign_in', 'session.end']);
  });

  it('end all at once but for this one, with the tokens that they have not used', async () => {
    const email = `${randomUUID()}@example.com`;
    const sign = async () => (await identity.client.signIn(gateway, signInRequest({ email }))).session;
    const [mine = '', one = '', another = ''] = await Promise.all([sign(), sign(), sign()]);
    const stranger = await identity.client.signIn(gateway, signInRequest());
    const user = { userId: randomUUID(), email };
    const asked = { user, deviceId: randomUUID(), deviceAccountId: randomUUID(), purpose: 1, session: one };
    const { token } = await identity.client.createSocketToken(gateway, asked);
    const origin = { remoteAddress: '192.0.2.8', userAgent: 'a browser' };
    expect(await identity.client.endOwnSessions(gateway, { session: mine, ...origin })).toMatchObject({ ended: 2 });
    expect(await Promise.all([mine, one, another, stranger.session].map(isOpen))).toEqual([true, false, false, true]);
    const redeemed = identity.client.redeemSocketToken(tunnels, { token, userId: user.userId, purpose: 1 });
    await expect(redeemed).rejects.toMatchObject({ code: 'permission_denied' });
    const ends = () => identity.audit().filter(({ action, actor }) => actor === email && action === 'session.end');
    await until(async () => ends().length === 2);
    const reason = 'signed out everywhere else';
    expect(ends()).toMatchObject([1, 2].map(() => ({ reason, address: '192.0.2.8' })));
  });

  it('are read as version 0.1.0 has written them', async () => {
    const { session } = await identity.client.signIn(gateway, signInRequest());
    const key = `identity:session:${hashOf(session)}`;
    const {
      remoteAddress: _a,
      userAgent: _b,
      seal: _c,
      ...old
    } = JSON.parse((await identity.redis.get(key)) ?? '') as object & {
      remoteAddress: string;
      userAgent: string;
      seal: string;
    };
    const seal = new Seal({ keys: [SESSION_KEY], acceptUnsealed: false });
    await identity.redis.set(key, seal.close(key, JSON.stringify(old)), 'KEEPTTL');
    expect(await list(session)).toEqual([expect.objectContaining({ current: true, remoteAddress: '', userAgent: '' })]);
  });

  it('are for the gateway alone, and how long they hold is for tunnels alone', async () => {
    const { session } = await identity.client.signIn(gateway, signInRequest());
    const denied = { code: 'permission_denied' };
    await expect(identity.client.listOwnSessions(tunnels, { session })).rejects.toMatchObject(denied);
    await expect(identity.client.endOwnSessions(tunnels, { session })).rejects.toMatchObject(denied);
    await expect(identity.client.checkSessions(gateway, { sessions: [] })).rejects.toMatchObject(denied);
  });
});

describe('a sign-in', () => {
  it('uses its assertion up, also when many bring it at once', async () => {
    const request = signInRequest();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => identity.client.signIn(gateway, request)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(new Set(refused.map(({ reason }) => (reason as { code: string }).code))).toEqual(
      new Set(['already_exists']),
    );
    const refusals = () => identity.audit().filter(({ outcome }) => outcome === AuditOutcome.REFUSED);
    await until(async () => refusals().length >= 19);
  });

  it('is refused by field when the person has no usable e-mail', async () => {
    const request = signInRequest({ email: 'nobody' });
    await expect(identity.client.signIn(gateway, request)).rejects.toMatchObject({
      code: 'invalid_argument',
      problems: [expect.objectContaining({ field: 'email' })],
    });
  });

  it('is for the gateway alone', async () => {
    const user = userCaller({ userId: 'u', role: Role.SUPER_ADMIN, operator: true } as UserCaller);
    for (const caller of [user, tunnels, serviceCaller('devices')]) {
      await expect(identity.client.signIn(caller, signInRequest())).rejects.toMatchObject({
        code: 'permission_denied',
      });
      await expect(identity.client.getSession(caller, { session: 'x' })).rejects.toMatchObject({
        code: 'permission_denied',
      });
    }
  });

  it('keeps the marks of used assertions until these have expired', async () => {
    const request = { ...signInRequest(), assertionExpires: timestampFromMs(Date.now() + 120_000) };
    await identity.client.signIn(gateway, request);
    const left = await identity.redis.pttl(`identity:assertion:${hashOf('default', request.assertionId)}`);
    expect(left).toBeGreaterThan(120_000);
  });
});
