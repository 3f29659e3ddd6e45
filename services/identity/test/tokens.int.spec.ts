import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sessionKey, SIGNALS } from '@warren/platform/broker/keys';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent } from '@warren/platform/events/event';
import { newApiToken } from '@warren/platform/secrets/api.token';
import { Role } from '@warren/proto/common/v1/common';
import { AuditActorKind } from '@warren/proto/audit/v1/audit';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { TOKEN_LIMITS } from '@warren/rules/tokens';
import { randomUUID } from 'node:crypto';
import { hashOf } from '../src/secrets/secret.ts';
import { gateway, tunnels } from './identity.process.ts';
import { ORIGIN, somebody, TokensWorld, type Somebody, type WANTED } from './tokens.world.ts';
import { until } from '@warren/infra/until';

const world = new TokensWorld();
const { make, verify, isRefused, told, toldOf } = world;
let identity: TokensWorld['identity'];
let client: TokensWorld['client'];

beforeAll(async () => {
  ({ identity, client } = await world.start());
});
afterAll(() => world.stop());

describe('an API token', () => {
  it('says who its owner is and what it may do, is stored as a hash, and notes its use', async () => {
    const ada = somebody();
    const { secret, token } = await make(ada, { filter: ' site=north ' });
    expect(secret.startsWith(token?.hint ?? 'none')).toBe(true);
    const { session } = await verify(secret);
    expect(session).toMatchObject({
      id: hashOf(secret),
      saml: { email: ada.user.email.toLowerCase() },
      token: {
        userId: ada.user.userId,
        accountId: ada.user.accountId,
        token: { id: token?.id, permissions: ['devices.open', 'devices.read'], filter: 'site=north' },
      },
    });
    expect(session?.leftMs).toBeGreaterThan(60_000);
    const stored = JSON.stringify(await identity.sql('SELECT * FROM api_tokens'));
    expect(stored).not.toContain(secret);
    expect(await identity.redis.get(sessionKey(hashOf(secret)))).not.toContain(secret);
    const { tokens } = await client.listOwnTokens(ada.caller, {});
    expect(tokens).toEqual([expect.objectContaining({ id: token?.id, name: 'Nightly', usedFrom: '192.0.2.7' })]);
    expect(tokens[0]?.used).toBeDefined();
    await until(async () => told(ada).length === 1);
    expect(told(ada)[0]).toMatchObject({
      action: 'token.create',
      actor: { kind: AuditActorKind.USER, id: ada.user.userId },
      target: { kind: 'token', id: token?.id, name: 'Nightly' },
    });
  });

  it('is no browser session', async () => {
    const { secret } = await make(somebody());
    await verify(secret);
    await expect(identity.client.getSession(gateway, { session: secret })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    await expect(verify('s'.repeat(43))).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(verify(newApiToken())).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('is refused from its revocation on, with the sockets that it opened', async () => {
    const ada = somebody();
    const { secret, token } = await make(ada);
    const { session } = await verify(secret);
    const opening = { user: ada.user, deviceId: 'd', purpose: SocketPurpose.TERMINAL, session: secret };
    const socket = await identity.client.createSocketToken(gateway, opening);
    const hash = session?.id ?? '';
    expect(await identity.client.checkSession(tunnels, { session: hash })).toMatchObject({ alive: true });
    const ended: string[] = [];
    const signals = identity.redis.duplicate();
    await signals.subscribe(SIGNALS.sessionsEnded);
    signals.on('message', (_channel, text) => ended.push(text));
    await client.revokeToken(ada.caller, { id: token?.id ?? '', own: true });
    expect(await identity.client.checkSession(tunnels, { session: hash })).toMatchObject({ alive: false });
    expect(await isRefused(secret)).toBe(true);
    const redeeming = { token: socket.token, userId: ada.user.userId, purpose: SocketPurpose.TERMINAL };
    await expect(identity.client.redeemSocketToken(tunnels, redeeming)).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await until(async () => ended.includes(hash));
    signals.disconnect();
    expect((await client.listOwnTokens(ada.caller, {})).tokens).toEqual([]);
    const wanted = ['token.create SUCCESS', 'token.revoke SUCCESS', 'token.use REFUSED'];
    await until(async () => toldOf(ada).length === wanted.length);
    expect(toldOf(ada)).toEqual(wanted);
    expect(told(ada)[2]).toMatchObject({
      actor: { kind: AuditActorKind.TOKEN, id: token?.id, onBehalfOf: ada.user.userId },
      origin: ORIGIN,
      reason: 'revoked',
    });
  });

  it('expires, and says so to the audit trail when it is used', async () => {
    const ada = somebody();
    const { secret, token } = await make(ada);
    await verify(secret);
    await identity.sql(`UPDATE api_tokens SET expires_at = now() WHERE id = '${token?.id}'`);
    await identity.redis.del(sessionKey(hashOf(secret)));
    expect(await isRefused(secret)).toBe(true);
    await until(async () => toldOf(ada).length === 2);
    expect(toldOf(ada)).toEqual(['token.create SUCCESS', 'token.use REFUSED']);
    expect((await client.listOwnTokens(ada.caller, {})).tokens).toHaveLength(1);
  });

  it('that is revoked while it is verified stays revoked', async () => {
    const ada = somebody();
    const made = await Promise.all(Array.from({ length: 12 }, () => make(ada)));
    await Promise.all(
      made.flatMap(({ secret, token }) => [
        verify(secret).catch(() => {}),
        client.revokeToken(ada.caller, { id: token?.id ?? '', own: true }),
        verify(secret).catch(() => {}),
      ]),
    );
    expect(await Promise.all(made.map(({ secret }) => isRefused(secret)))).toEqual(made.map(() => true));
  });
});

describe('the owner of a token', () => {
  const changed = (who: Somebody, more: { active?: boolean; accountId?: string; signInResetBy?: string }) => {
    const { userId, email, accountId } = who.user;
    const { active = true, signInResetBy = '', accountId: now = accountId } = more;
    const value = { userId, email, active, signInResetBy };
    return newEvent({ accountId: now, kind: { case: 'userChanged', value } });
  };

  it.each<[string, (who: Somebody) => Parameters<EventBus['publish']>[0]]>([
    ['disabled', (who) => changed(who, { active: false })],
    ['moved to another account', (who) => changed(who, { accountId: randomUUID() })],
    ['unbound from the identity', (who) => changed(who, { signInResetBy: 'boss@example.com' })],
    [
      'deleted',
      ({ user: { userId, email, accountId } }) =>
        newEvent({ accountId, kind: { case: 'userDeleted', value: { userId, email } } }),
    ],
  ])('who is %s has none any more', async (_what, eventOf) => {
    const [ada, other] = [somebody(), somebody()];
    const [mine, others] = await Promise.all([make(ada), make(other)]);
    await verify(mine.secret);
    await identity.app.get(EventBus).publish(eventOf(ada));
    await until(() => isRefused(mine.secret));
    expect(await isRefused(others.secret)).toBe(false);
  });

  it('who changes otherwise keeps them', async () => {
    const ada = somebody();
    const { secret } = await make(ada);
    const bus = identity.app.get(EventBus);
    await bus.publish(changed(ada, {}));
    const last = somebody();
    const marker = await make(last);
    await bus.publish(changed(last, { active: false }));
    await until(() => isRefused(marker.secret));
    expect(await isRefused(secret)).toBe(false);
  });
});

describe('creating a token', () => {
  it.each<[string, Partial<typeof WANTED>, string]>([
    ['without a name', { name: ' ' }, 'name'],
    ['for more than a year', { days: 366 }, 'days'],
    ['without an end', { days: 0 }, 'days'],
    ['with a wrong filter', { filter: 'site=(' }, 'filter'],
    ['without permissions', { permissions: [] }, 'permissions'],
    ['with permissions that do not exist', { permissions: ['devices.fly'] }, 'permissions'],
    ['with permissions that the owner lacks', { permissions: ['devices.manage'] }, 'permissions'],
    [
      'for some devices with more than reading and opening',
      { filter: 'a=b', permissions: ['users.list'] },
      'permissions',
    ],
  ])('%s is refused by the name of the field', async (_what, more, field) => {
    await expect(make(somebody(), more)).rejects.toMatchObject({ code: 'invalid_argument', problems: [{ field }] });
  });

  it('by a token is refused', async () => {
    const by = somebody(Role.OWNER, randomUUID(), { token: { id: 't', permissions: ['devices.read'] } });
    await expect(make(by)).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('ends at the limit of a person, and continues when one is revoked', async () => {
    const ada = somebody();
    const made = [];
    for (let n = 0; n < TOKEN_LIMITS.perPerson; n++) made.push(await make(ada));
    await expect(make(ada)).rejects.toMatchObject({ code: 'failed_precondition' });
    await client.revokeToken(ada.caller, { id: made[0]?.token?.id ?? '', own: true });
    await make(ada);
  });
});

describe('the tokens of an account', () => {
  it('are listed and revoked by its managers and the operator, not by members, and not by another account', async () => {
    const owner = somebody();
    const { accountId } = owner.user;
    const member = somebody(Role.MEMBER, accountId);
    const { token, secret } = await make(member);
    const id = token?.id ?? '';
    const listed = await client.listTokens(owner.caller, { accountId });
    expect([listed.total, listed.tokens.map((one) => one.id)]).toEqual([1, [id]]);
    const boss = somebody(Role.SUPER_ADMIN, randomUUID(), { operator: true });
    expect((await client.listTokens(boss.caller, { accountId })).total).toBe(1);
    expect((await client.listTokens(boss.caller, { page: { search: 'NIGHT' } })).total).toBeGreaterThan(1);

    const [stranger, mate] = [somebody(), somebody(Role.MEMBER, accountId)];
    await expect(client.listTokens(stranger.caller, { accountId })).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.listTokens(mate.caller, { accountId })).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(client.revokeToken(stranger.caller, { id })).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.revokeToken(mate.caller, { id })).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(client.revokeToken(mate.caller, { id, own: true })).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.verifyToken(owner.caller, { secret })).rejects.toMatchObject({ code: 'permission_denied' });
    expect(await isRefused(secret)).toBe(false);

    await client.revokeToken(owner.caller, { id });
    expect(await isRefused(secret)).toBe(true);
  });
});
