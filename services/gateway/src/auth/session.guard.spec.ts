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
import type { AuthConfig } from './auth.config.ts';
import type { KnownSessions } from './known.sessions.ts';
import { HubCookies } from './session.cookie.ts';
import { SessionGuard } from './session.guard.ts';
import { SessionReader } from './session.reader.ts';

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
  const unknown = { look: async () => ({ keep: () => {} }) } as unknown as KnownSessions;
  const reader = new SessionReader(
    createRpcClient(IdentityService, transport),
    createRpcClient(TenancyService, transport),
    unknown,
  );
  const guard = new SessionGuard({ HUB_URL: HUB } as AuthConfig, new HubCookies(HUB), reader);
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
      { method: 'POST', path: '/auth/saml/login', headers: { origin: HUB } },
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
    const guard = new SessionGuard({ HUB_URL: HUB } as AuthConfig, new HubCookies(HUB), {} as SessionReader);
    expect(await guard.canActivate({ getType: () => 'ws' } as unknown as ExecutionContext)).toBe(false);
  });
});
