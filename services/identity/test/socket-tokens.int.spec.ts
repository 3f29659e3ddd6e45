import { AuditOutcome } from '@warren/proto/audit/v1/audit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Role } from '@warren/proto/common/v1/common';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { randomUUID } from 'node:crypto';
import { hashOf } from '../src/secrets/secret.ts';
import { MAX_UNUSED } from '../src/socket-tokens/socket-tokens.service.ts';
import { gateway, signInRequest, startIdentity, tunnels, type IdentityProcess } from './identity.process.ts';
import { until } from '@warren/infra/until';

let identity: IdentityProcess;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

function request() {
  const userId = randomUUID();
  return {
    user: {
      userId,
      email: `${userId}@example.com`,
      name: 'Ada',
      accountId: randomUUID(),
      role: Role.MEMBER,
      operator: false,
    },
    deviceId: randomUUID(),
    deviceAccountId: randomUUID(),
    purpose: SocketPurpose.TERMINAL,
  };
}

function eventsOf({ user }: ReturnType<typeof request>): string[] {
  return identity
    .audit()
    .flatMap(({ actor, action, outcome }) => (actor === user.email ? [`${action} ${AuditOutcome[outcome]}`] : []));
}

describe('socket tokens', () => {
  it('can be looked at by the gateway and by tunnels, and then redeemed by tunnels once', async () => {
    const wanted = request();
    const { token } = await identity.client.createSocketToken(gateway, wanted);
    for (const caller of [gateway, tunnels, gateway]) {
      expect((await identity.client.peekSocketToken(caller, { token })).deviceId).toBe(wanted.deviceId);
    }
    const redeem = { token, userId: wanted.user.userId, purpose: wanted.purpose };
    const grant = await identity.client.redeemSocketToken(tunnels, redeem);
    expect(grant).toMatchObject({ deviceId: wanted.deviceId, deviceAccountId: wanted.deviceAccountId });
    expect(grant.user).toMatchObject(wanted.user);
    const again = identity.client.redeemSocketToken(tunnels, redeem);
    await expect(again).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(identity.client.peekSocketToken(gateway, { token })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  it('are redeemed once however many try at the same time', async () => {
    const wanted = request();
    const { token } = await identity.client.createSocketToken(gateway, wanted);
    const redeem = { token, userId: wanted.user.userId, purpose: wanted.purpose };
    const all = await Promise.allSettled(
      Array.from({ length: 50 }, () => identity.client.redeemSocketToken(tunnels, redeem)),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it.each([
    ['another user', { userId: randomUUID() }],
    ['another purpose', { purpose: SocketPurpose.DESKTOP }],
  ])('are refused and used up when redeemed for %s', async (_what, wrong) => {
    const wanted = request();
    const { token } = await identity.client.createSocketToken(gateway, wanted);
    const right = { token, userId: wanted.user.userId, purpose: wanted.purpose };
    for (const attempt of [{ ...right, ...wrong }, right]) {
      await expect(identity.client.redeemSocketToken(tunnels, attempt)).rejects.toMatchObject({
        code: 'permission_denied',
      });
    }
    await until(async () => eventsOf(wanted).length === 2);
    expect(eventsOf(wanted)).toEqual(['socket_token.issue SUCCESS', 'socket_token.redeem REFUSED']);
  });

  it('last 60 seconds, and are stored in Redis by their hash only', async () => {
    const { token } = await identity.client.createSocketToken(gateway, request());
    const left = await identity.redis.pttl(`identity:socket-token:${hashOf(token)}`);
    expect(left).toBeGreaterThan(58_000);
    expect(left).toBeLessThanOrEqual(60_000);
    expect((await identity.redis.keys('*')).join()).not.toContain(token);
  });

  it('are taken back when the sessions of their user are ended', async () => {
    const wanted = request();
    const { token } = await identity.client.createSocketToken(gateway, wanted);
    await identity.client.endSessions(gateway, { of: { case: 'email', value: wanted.user.email } });
    await expect(identity.client.peekSocketToken(gateway, { token })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  it.each([
    ['signed out', (session: string) => identity.client.signOut(gateway, { session })],
    [
      'ended by its provider',
      async (session: string) => {
        const { saml } = await identity.client.getSession(gateway, { session });
        const value = { provider: 'default', nameId: saml?.nameId ?? '', sessionIndex: saml?.sessionIndex ?? '' };
        return identity.client.endSessions(gateway, { of: { case: 'subject', value } });
      },
    ],
    ['expired', (session: string) => identity.redis.del(`identity:session:${hashOf(session)}`)],
  ])('open nothing when the session that asked for them was %s', async (_how, end) => {
    const { session } = await identity.client.signIn(gateway, signInRequest());
    const wanted = { ...request(), session };
    const { token } = await identity.client.createSocketToken(gateway, wanted);
    await end(session);
    const redeem = { token, userId: wanted.user.userId, purpose: wanted.purpose };
    await expect(identity.client.redeemSocketToken(tunnels, redeem)).rejects.toMatchObject({
      code: 'permission_denied',
      message: expect.stringContaining('session has ended'),
    });
  });

  it('identify their session to tunnels', async () => {
    const { session } = await identity.client.signIn(gateway, signInRequest());
    const wanted = { ...request(), session };
    const { token } = await identity.client.createSocketToken(gateway, wanted);
    const redeem = { token, userId: wanted.user.userId, purpose: wanted.purpose };
    expect((await identity.client.redeemSocketToken(tunnels, redeem)).session).toBe(hashOf(session));
  });

  it('are bounded for a person however many are asked for at the same time, until some are used', async () => {
    const wanted = request();
    const make = () => identity.client.createSocketToken(gateway, wanted);
    const made = await Promise.allSettled(Array.from({ length: 100 }, make));
    const tokens = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.token] : []));
    expect(tokens).toHaveLength(MAX_UNUSED);
    await expect(make()).rejects.toMatchObject({ code: 'resource_exhausted', retryAfter: expect.any(Number) });
    const redeem = { token: tokens[0] ?? '', userId: wanted.user.userId, purpose: wanted.purpose };
    await identity.client.redeemSocketToken(tunnels, redeem);
    await make();
    await identity.client.createSocketToken(gateway, request());
  });

  it('are not made without user, device or purpose, nor for or by the wrong service', async () => {
    const bad = [
      { ...request(), user: {} },
      { ...request(), deviceId: '' },
      { ...request(), purpose: 0 },
    ];
    for (const wrong of bad) {
      const made = identity.client.createSocketToken(gateway, wrong);
      await expect(made).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    const byTunnels = identity.client.createSocketToken(tunnels, request());
    await expect(byTunnels).rejects.toMatchObject({ code: 'permission_denied' });
    const byGateway = identity.client.redeemSocketToken(gateway, { token: 'x', userId: 'y', purpose: 1 });
    await expect(byGateway).rejects.toMatchObject({ code: 'permission_denied' });
  });
});
