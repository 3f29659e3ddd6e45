import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent } from '@warren/platform/events/event';
import { serviceCaller, userCaller } from '@warren/platform/rpc/caller';
import { Role, type UserCaller } from '@warren/proto/common/v1/common';
import { randomUUID } from 'node:crypto';
import { MAX_SESSIONS } from '../src/sessions/session.index.ts';
import { hashOf } from '../src/secrets/secret.ts';
import { gateway, signInRequest, startIdentity, tunnels, type IdentityProcess } from './identity.process.ts';
import { until } from './until.ts';

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
}, 60_000);
afterAll(() => identity.stop(), 30_000);

describe('sessions', () => {
  it('open with a sign-in, tell who it is, and end with a sign-out', async () => {
    const request = signInRequest({ email: `Ada.${randomUUID()}@Example.com` });
    const { session } = await identity.client.signIn(gateway, request);
    expect(session).toMatch(/^[\w-]{43}$/);
    const found = await identity.client.getSession(gateway, { session });
    expect(found.saml?.email).toBe(request.saml?.email.toLowerCase());
    expect(found.saml?.sessionIndex).toBe(request.saml?.sessionIndex);
    await identity.client.signOut(gateway, { session });
    expect(await isOpen(session)).toBe(false);
    const lines = (await identity.audit()).filter(({ actor }) => actor === found.saml?.email);
    expect(lines.map(({ action }) => action)).toEqual(['sign_in', 'sign_out']);
    expect(lines[0]?.remote_address).toBe('192.0.2.7');
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

  it('never stand in Redis by their secret', async () => {
    const { session } = await identity.client.signIn(gateway, signInRequest());
    const keys = await identity.redis.keys('*');
    const strings = keys.filter((key) => key.startsWith('identity:session:'));
    expect(keys).toContain(`identity:session:${hashOf(session)}`);
    expect(keys.join()).not.toContain(session);
    expect((await identity.redis.mget(strings)).join()).not.toContain(session);
  });

  it('end for an e-mail, whatever its case, and for nobody else', async () => {
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

  it('are bounded for each e-mail: the oldest ends', async () => {
    const email = `${randomUUID()}@example.com`;
    const sessions = [];
    for (let n = 0; n <= MAX_SESSIONS; n++) {
      sessions.push((await identity.client.signIn(gateway, signInRequest({ email }))).session);
    }
    expect(await isOpen(sessions[0] ?? '')).toBe(false);
    expect(await isOpen(sessions[1] ?? '')).toBe(true);
  }, 60_000);

  it.each([
    ['disabled', 'userChanged', { userId: randomUUID(), active: false }],
    ['deleted', 'userDeleted', { userId: randomUUID() }],
  ] as const)('end when the user is %s', async (_what, kind, data) => {
    const email = `${randomUUID()}@example.com`;
    const { session } = await identity.client.signIn(gateway, signInRequest({ email }));
    const value = { ...data, email };
    await identity.app.get(EventBus).publish(newEvent({ kind: { case: kind, value } as never }));
    await until('the session ends', async () => !(await isOpen(session)));
  });

  it('stay when the user is changed but active', async () => {
    const email = `${randomUUID()}@example.com`;
    const other = `${randomUUID()}@example.com`;
    const { session } = await identity.client.signIn(gateway, signInRequest({ email }));
    const marker = await identity.client.signIn(gateway, signInRequest({ email: other }));
    const bus = identity.app.get(EventBus);
    await bus.publish(newEvent({ kind: { case: 'userChanged', value: { userId: 'u', email, active: true } } }));
    await bus.publish(newEvent({ kind: { case: 'userDeleted', value: { userId: 'v', email: other } } }));
    await until('the later event is handled', async () => !(await isOpen(marker.session)));
    expect(await isOpen(session)).toBe(true);
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
    const lines = await identity.audit();
    expect(lines.filter(({ action }) => action === 'sign_in_refused').length).toBeGreaterThanOrEqual(19);
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

describe('SAML request ids', () => {
  it('are there until removed, and removed once', async () => {
    const id = `_${randomUUID()}`;
    await identity.client.saveSamlRequest(gateway, { id, value: 'v' });
    expect((await identity.client.getSamlRequest(gateway, { id })).value).toBe('v');
    const removed = await Promise.all(
      Array.from({ length: 10 }, () => identity.client.removeSamlRequest(gateway, { id })),
    );
    expect(removed.filter((answer) => answer.id === id)).toHaveLength(1);
    expect((await identity.client.getSamlRequest(gateway, { id })).value).toBeUndefined();
  });

  it('last ten minutes', async () => {
    const id = `_${randomUUID()}`;
    await identity.client.saveSamlRequest(gateway, { id, value: 'v' });
    const left = await identity.redis.pttl(`identity:saml-request:${hashOf(id)}`);
    expect(left).toBeGreaterThan(590_000);
    expect(left).toBeLessThanOrEqual(600_000);
  });
});

describe('the audit trail', () => {
  it.each(['UPDATE audit SET actor = $$x$$', 'DELETE FROM audit', 'TRUNCATE audit'])('refuses %s', async (text) => {
    await expect(identity.sql(text)).rejects.toThrow('only grows');
  });

  it('takes a bounded number of refused sign-ins a minute', async () => {
    const reason = randomUUID();
    const refusal = { provider: 'default', reason, remoteAddress: '192.0.2.9', userAgent: 'line\nbreak' };
    for (let n = 0; n < 300; n++) await identity.client.reportRefusedSignIn(gateway, refusal);
    const lines = (await identity.audit()).filter(({ detail }) => detail.includes(reason));
    // The minute may turn once while this runs.
    expect(lines.length).toBeLessThanOrEqual(240);
  }, 60_000);
});
