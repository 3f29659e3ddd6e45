import { describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { create } from '@bufbuild/protobuf';
import { Fault } from '@warren/platform/errors/fault';
import { createRpcClient } from '@warren/platform/rpc/client';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { LocalTransport } from '@warren/platform/rpc/local.transport';
import { Role, Status } from '@warren/proto/common/v1/common';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { ResolveMemberResponseSchema, TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import type { RedisLink } from '@warren/platform/redis/redis.module';
import { newApiToken } from '@warren/platform/secrets/api.token';
import { TokensService } from '@warren/proto/identity/v1/tokens';
import type { AuthConfig } from './config/auth.config.ts';
import type { KnownSessions } from './known.sessions.ts';
import { HubCookies } from './session.cookie.ts';
import { SessionGuard } from './session.guard.ts';
import { SessionReader } from './session.reader.ts';
import { TokenAccess } from './tokens/token.access.ts';

const TOKEN = newApiToken();
const HUB = 'http://hub.test';
const SECRET = 's'.repeat(43);
const COOKIE = { cookie: `warren=${SECRET}` };
const USER = {
  id: 'u',
  email: 'ada@hub.test',
  name: 'Ada',
  accountId: 'a',
  groupId: 'g',
  role: Role.OWNER,
  status: Status.ACTIVE,
};
const ACTIVE = { user: USER, accountStatus: Status.ACTIVE, operator: true };
const INVITATION = { id: 'i', accountId: 'b', accountName: 'B' };

interface Asked {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  member?: object;
}

/** Runs the guard for a request. @returns its outcome, and its calls of other services */
async function guarded({ method = 'GET', path = '/api/devices', headers = {}, member = ACTIVE }: Asked) {
  const calls: string[] = [];
  const transport = new LocalTransport()
    .serve(IdentityService, {
      getSession: async (_caller, { session }) => {
        calls.push('session');
        if (session !== SECRET) throw new Fault('unauthenticated', 'the session has ended.');
        return { identityId: 'i', saml: { email: 'ada@hub.test', name: 'Ada' } };
      },
    })
    .serve(TenancyService, {
      resolveMember: async () => (calls.push('member'), create(ResolveMemberResponseSchema, member)),
    });
  transport.serve(TokensService, {
    verifyToken: async (_caller, { secret }) => {
      calls.push('token');
      if (secret !== TOKEN) throw new Fault('unauthenticated', 'the API token is unknown.');
      const token = { token: { id: 't', permissions: ['devices.read'] }, userId: 'u', accountId: 'a' };
      return { session: { id: 'h', saml: { email: 'ada@hub.test' }, token } };
    },
  });
  const unknown = { look: async () => ({ keep: () => {} }) } as unknown as KnownSessions;
  const reader = new SessionReader(
    createRpcClient(IdentityService, transport),
    createRpcClient(TokensService, transport),
    createRpcClient(TenancyService, transport),
    unknown,
  );
  const cookies = new HubCookies(HUB);
  const tokens = new TokenAccess(cookies, reader, {} as RedisLink, false);
  const guard = new SessionGuard({ HUB_URL: HUB } as AuthConfig, cookies, reader, tokens);
  const request: { caller?: Caller; signedIn?: object; [key: string]: unknown } = {
    method,
    headers,
    route: { path },
    id: 'request-1',
  };
  const context = {
    getType: () => 'http',
    getHandler: () => function readThing() {},
    switchToHttp: () => ({ getRequest: () => request }),
  };
  const passed = await guard.canActivate(context as unknown as ExecutionContext).catch((error: unknown) => error);
  return { passed, request, calls };
}

describe('SessionGuard', () => {
  it('lets public routes pass without calls of other services, with any cookies', async () => {
    const { passed, calls } = await guarded({
      method: 'POST',
      path: '/auth/saml/acs',
      headers: { origin: 'https://x.test' },
    });
    expect([passed, calls]).toEqual([true, []]);
  });

  it('matches public routes by method and pattern, not by URL', async () => {
    for (const asked of [
      { method: 'POST', path: '/auth/saml/metadata', headers: { origin: HUB } },
      { path: '/auth/saml/login/' },
      { path: '/auth/:any' },
    ]) {
      expect((await guarded(asked)).passed).toMatchObject({ code: 'unauthenticated' });
    }
  });

  it('checks the origin before the session', async () => {
    for (const headers of [COOKIE, {}, { ...COOKIE, origin: 'https://evil.test' }]) {
      const { passed, calls } = await guarded({ method: 'POST', headers });
      expect(passed).toMatchObject({ code: 'permission_denied', message: expect.stringContaining(HUB) });
      expect(calls).toEqual([]);
    }
    expect((await guarded({ method: 'POST', headers: { ...COOKIE, origin: HUB } })).passed).toBe(true);
  });

  it('refuses a missing and an ended session', async () => {
    expect((await guarded({})).passed).toMatchObject({ code: 'unauthenticated' });
    const ended = await guarded({ headers: { cookie: `warren=${'e'.repeat(43)}` } });
    expect(ended.passed).toMatchObject({ code: 'unauthenticated' });
    expect(ended.calls).toEqual(['session']);
  });

  it('gives the route the caller of an active user', async () => {
    const { passed, request } = await guarded({ headers: COOKIE });
    expect(passed).toBe(true);
    expect(requireUser(request.caller as Caller)).toMatchObject({
      userId: 'u',
      email: 'ada@hub.test',
      accountId: 'a',
      role: Role.OWNER,
      operator: true,
    });
    expect(request.caller?.requestId).toBe('request-1');
  });

  it.each<[string, object, string]>([
    ['has an invitation', { invitation: INVITATION }, 'need_accept'],
    ['has no account', {}, 'account_issue'],
    ['has no group', { ...ACTIVE, user: { ...USER, groupId: '' } }, 'account_issue'],
    ['is disabled', { ...ACTIVE, user: { ...USER, status: Status.INACTIVE } }, 'account_disable'],
    ['has a disabled account', { ...ACTIVE, accountStatus: Status.INACTIVE }, 'account_disable'],
    ['has an account of unknown status', { user: USER }, 'account_disable'],
  ])('lets somebody who %s ask who they are and nothing else', async (_what, member, reason) => {
    const denied = await guarded({ headers: COOKIE, member });
    expect(denied.passed).toMatchObject({ code: 'permission_denied', reason });
    expect(denied.request.caller).toBeUndefined();
    const asked = await guarded({ path: '/auth/saml/getsession', headers: COOKIE, member });
    expect(asked.passed).toBe(true);
    expect(asked.request.signedIn).toBeDefined();
    expect(asked.request.caller).toBeUndefined();
  });

  it('refuses other contexts than http', async () => {
    const nothing = [new HubCookies(HUB), {} as SessionReader, {} as TokenAccess] as const;
    const guard = new SessionGuard({ HUB_URL: HUB } as AuthConfig, ...nothing);
    expect(await guard.canActivate({ getType: () => 'ws' } as unknown as ExecutionContext)).toBe(false);
  });
});

describe('SessionGuard with an API token', () => {
  const BEARER = { authorization: `Bearer ${TOKEN}` };

  it('takes the caller from the token, which needs no origin, and passes its limits on', async () => {
    const { passed, request, calls } = await guarded({ method: 'POST', headers: BEARER });
    expect([passed, calls]).toEqual([true, ['token', 'member']]);
    expect(requireUser(request.caller as Caller)).toMatchObject({
      userId: 'u',
      role: Role.OWNER,
      token: { id: 't', permissions: ['devices.read'] },
    });
  });

  it('refuses a token beside a cookie, before it looks anything up', async () => {
    const { passed, calls } = await guarded({ headers: { ...BEARER, ...COOKIE } });
    expect(passed).toMatchObject({
      code: 'invalid_argument',
      challenge: 'Bearer realm="Warren", error="invalid_request"',
      message: 'expected a session cookie or a token, not both.',
    });
    expect(calls).toEqual([]);
  });

  it.each<[string, Record<string, string>, object]>([
    ['is unknown', { authorization: `Bearer ${newApiToken()}` }, ACTIVE],
    ['has another checksum', { authorization: `Bearer ${TOKEN.slice(0, -1)}!` }, ACTIVE],
    ['is a session secret', { authorization: `Bearer ${SECRET}` }, ACTIVE],
    ['is empty', { authorization: 'Bearer' }, ACTIVE],
    ['is of a disabled user', BEARER, { ...ACTIVE, user: { ...USER, status: Status.INACTIVE } }],
    ['is of a user who moved', BEARER, { ...ACTIVE, user: { ...USER, accountId: 'b' } }],
    ['is of an address that another user has now', BEARER, { ...ACTIVE, user: { ...USER, id: 'v' } }],
    ['is of a deleted user', BEARER, {}],
  ])('refuses one that %s', async (_what, headers, member) => {
    const { passed, request } = await guarded({ headers, member });
    expect(passed).toMatchObject({
      code: 'unauthenticated',
      challenge: 'Bearer realm="Warren", error="invalid_token"',
    });
    expect(request.caller).toBeUndefined();
  });

  it('leaves other schemes to the proxy that asked for them', async () => {
    const { passed, calls } = await guarded({ headers: { ...COOKIE, authorization: 'Basic YTpi' } });
    expect([passed, calls]).toEqual([true, ['session', 'member']]);
  });
});
