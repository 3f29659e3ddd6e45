import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { waitingKey } from '@warren/platform/events/redis.outbox';
import { serviceCaller, userCaller, type Caller } from '@warren/platform/rpc/caller';
import { Role, UserCallerSchema } from '@warren/proto/common/v1/common';
import { randomUUID } from 'node:crypto';
import { MOST_KEPT } from '../src/refused-sign-ins/refused.sign-ins.service.ts';
import { hashOf } from '../src/secrets/secret.ts';
import { gateway, startIdentity, tunnels, type IdentityProcess } from './identity.process.ts';
import { until } from '@warren/infra/until';

const [ACCOUNT, OTHER] = [randomUUID(), randomUUID()];
let identity: IdentityProcess;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

const user = (role: Role, accountId: string, operator = false): Caller =>
  userCaller(create(UserCallerSchema, { userId: randomUUID(), email: 'a@b.c', accountId, role, operator }));
const operator = user(Role.SUPER_ADMIN, randomUUID(), true);
const owner = user(Role.OWNER, ACCOUNT);

const report = (more: object = {}) =>
  identity.client.reportRefusedSignIn(serviceCaller('gateway', 'request-1'), {
    provider: 'work',
    reason: 'email_verified is missing',
    kind: 'unverified',
    email: 'ada@work.test',
    accountId: ACCOUNT,
    details: '{"idTokenClaims":["sub"]}',
    remoteAddress: '192.0.2.7',
    userAgent: 'a browser',
    ...more,
  });
const list = (caller: Caller, more: object = {}) => identity.client.listRefusedSignIns(caller, more);

describe('refused sign-ins', () => {
  it('are kept with what was received, for those who administer the person; not for another account', async () => {
    await report();
    await report({ accountId: OTHER, email: 'bob@other.test' });
    await report({ accountId: '', email: '', kind: 'unreadable', provider: '', details: 'no JSON' });
    const { signIns } = await list(owner);
    expect(signIns).toMatchObject([
      {
        provider: 'work',
        kind: 'unverified',
        email: 'ada@work.test',
        accountId: ACCOUNT,
        details: '{"idTokenClaims":["sub"]}',
        requestId: 'request-1',
        remoteAddress: '192.0.2.7',
      },
    ]);
    expect((await list(operator)).signIns.map(({ email }) => email)).toEqual(['', 'bob@other.test', 'ada@work.test']);
    expect((await list(operator, { provider: 'work' })).signIns).toHaveLength(2);
    expect((await list(operator)).signIns[0]?.details).toBe('{}');
  });

  it.each([
    ['another account', () => list(owner, { accountId: OTHER }), 'not_found'],
    ['a member', () => list(user(Role.MEMBER, ACCOUNT)), 'permission_denied'],
    ['a member of the operator', () => list(user(Role.MEMBER, randomUUID(), true)), 'permission_denied'],
    ['a service', () => list(gateway), 'permission_denied'],
    ['a wrong page', () => list(operator, { before: 'x' }), 'invalid_argument'],
  ])('are not for %s', async (_what, ask, code) => {
    await expect(ask()).rejects.toMatchObject({ code });
  });

  it('are reported by the gateway alone', async () => {
    await expect(identity.client.reportRefusedSignIn(tunnels, { provider: 'x' })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  it('are bounded by provider and kind, and end after 30 days', async () => {
    await identity.sql(`INSERT INTO refused_sign_ins
      SELECT gen_random_uuid(), now() - interval '31 days', 'old', 'time', '', '', NULL, '{}', '', '', ''`);
    await identity.sql(`INSERT INTO refused_sign_ins
      SELECT gen_random_uuid(), now(), 'busy', 'request', '', '', NULL, '{}', '', '', '' FROM generate_series(1, 60)`);
    await report({ provider: 'busy', kind: 'request' });
    const count = (provider: string) =>
      identity.sql(`SELECT count(*)::int AS n FROM refused_sign_ins WHERE provider = '${provider}'`);
    expect(await count('busy')).toEqual([{ n: MOST_KEPT }]);
    expect(await count('old')).toEqual([{ n: 0 }]);
    expect(await count('work')).toEqual([{ n: 2 }]);
  });

  it('are kept with texts that PostgreSQL takes', async () => {
    const details = JSON.stringify({ received: 'half a pair \ud83d, \0, and a text \\u0000', names: ['\udc00'] });
    await report({ provider: 'odd', details });
    const [kept] = (await list(operator, { provider: 'odd' })).signIns;
    const received = 'half a pair \ufffd, , and a text \\u0000';
    expect(JSON.parse(kept?.details ?? '')).toEqual({ received, names: ['\ufffd'] });
  });

  it('are not listed after 30 days, though no other refusal came to delete them', async () => {
    await identity.sql(`INSERT INTO refused_sign_ins
      SELECT gen_random_uuid(), now() - interval '31 days', 'quiet', 'time', '', '', NULL, '{}', '', '', ''`);
    expect((await list(operator, { provider: 'quiet' })).signIns).toEqual([]);
  });

  it('are listed in pages', async () => {
    const first = await list(operator, { provider: 'busy', limit: 20 });
    const second = await list(operator, { provider: 'busy', limit: 40, before: first.next });
    expect([first.signIns.length, second.signIns.length, second.next]).toEqual([20, MOST_KEPT - 20, '']);
    const ids = new Set([...first.signIns, ...second.signIns].map(({ id }) => id));
    expect(ids.size).toBe(MOST_KEPT);
  });
});

describe('the audit trail', () => {
  it('takes a bounded number of refused sign-ins a minute', async () => {
    const reason = randomUUID();
    const refusal = { provider: 'default', reason, remoteAddress: '192.0.2.9', userAgent: 'line\nbreak' };
    for (let n = 0; n < 300; n++) await identity.client.reportRefusedSignIn(gateway, refusal);
    const events = () => identity.audit().filter((event) => event.reason === reason);
    await until(async () => (await identity.redis.hlen(waitingKey('identity'))) === 0);
    expect(events().length).toBeGreaterThan(0);
    // The minute may turn once while this runs.
    expect(events().length).toBeLessThanOrEqual(240);
    expect(events()[0]).toMatchObject({ action: 'session.sign_in', address: '192.0.2.9', account: '' });
    // One that a provider vouches for is not lost in the flood.
    await identity.client.reportRefusedSignIn(gateway, { ...refusal, email: 'ada@hub.test', reason: `${reason} too` });
    await until(async () => identity.audit().some((event) => event.reason === `${reason} too`));
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
