import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { create } from '@bufbuild/protobuf';
import { Fault } from '@warren/platform/errors/fault';
import { createRpcClient } from '@warren/platform/rpc/client';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { LocalTransport } from '@warren/platform/rpc/local.transport';
import { Role, Status } from '@warren/proto/common/v1/common';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { ResolveMemberResponseSchema, TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { Ahead } from './ahead.ts';
import type { AuthConfig } from './auth.config.ts';
import { Guesses } from './guesses.ts';
import { HubCookies } from './session.cookie.ts';
import { SessionGuard } from './session.guard.ts';
import { SessionReader } from './session.reader.ts';

const SECRET = 's'.repeat(43);
const PATH = '/api/things/:id';
const ADA = {
  ...{ id: 'u', email: 'ada@hub.test', name: 'Ada', accountId: 'a', groupId: 'g' },
  ...{ role: Role.OWNER, status: Status.ACTIVE },
};

describe('asking ahead', () => {
  let user: typeof ADA | undefined;
  let alive: boolean;
  let events: string[];
  let ahead: Ahead;
  let guard: SessionGuard;

  beforeEach(() => {
    user = ADA;
    alive = true;
    events = [];
    const transport = new LocalTransport()
      .serve(IdentityService, {
        getSession: async () => {
          events.push('session asked');
          await Promise.resolve();
          events.push('session answered');
          if (!alive) throw new Fault('unauthenticated', 'the session has ended.');
          return { identityId: 'i', saml: { email: 'ada@hub.test', name: 'Ada' } };
        },
      })
      .serve(TenancyService, {
        resolveMember: async () => {
          events.push('member asked');
          return create(ResolveMemberResponseSchema, { ...(user && { user }), accountStatus: Status.ACTIVE });
        },
      });
    const known = new Guesses();
    const [identity, tenancy] = [
      createRpcClient(IdentityService, transport),
      createRpcClient(TenancyService, transport),
    ];
    ahead = new Ahead(known);
    ahead.route(PATH, async (caller, params) => {
      const { accountId, role } = requireUser(caller);
      events.push('thing asked');
      return `${String(params['id'])} as ${accountId}/${Role[role]}`;
    });
    const reader = new SessionReader(identity, tenancy, known);
    guard = new SessionGuard(
      { HUB_URL: 'http://hub.test' } as AuthConfig,
      new HubCookies('http://hub.test'),
      reader,
      ahead,
    );
  });

  /** Runs the guard before a request; what it gave to the route. */
  async function request(path = PATH): Promise<unknown> {
    events = [];
    const asked: { caller?: Caller } & Record<string, unknown> = {
      ...{ method: 'GET', route: { path }, params: { id: 'x' }, id: 'r' },
      headers: { cookie: `warren=${SECRET}` },
    };
    const context = { getType: () => 'http', switchToHttp: () => ({ getRequest: () => asked }) };
    await guard.canActivate(context as unknown as ExecutionContext);
    return asked.caller && ahead.answer(asked.caller);
  }

  it('is done for a session that was read before: person and thing are asked for with the session', async () => {
    expect(await request()).toBeUndefined();
    expect(events).toEqual(['session asked', 'session answered', 'member asked']);
    expect(await request()).toBe('x as a/OWNER');
    expect(events.indexOf('member asked')).toBeLessThan(events.indexOf('session answered'));
    expect(events.indexOf('thing asked')).toBeLessThan(events.indexOf('session answered'));
    expect(events.filter((event) => event === 'member asked')).toHaveLength(1);
  });

  it('is done anew for each request, and for none but the routes that want it', async () => {
    await request();
    await request();
    await request();
    expect(events).toContain('thing asked');
    expect(await request('/api/others/:id')).toBeUndefined();
    expect(events).not.toContain('thing asked');
  });

  it.each([
    ['another role', { ...ADA, role: Role.MEMBER }],
    ['another account', { ...ADA, accountId: 'b' }],
    ['another id', { ...ADA, id: 'v' }],
  ])('counts for nothing when the person has %s now', async (_what, now) => {
    await request();
    user = now;
    expect(await request()).toBeUndefined();
    expect(await request()).toBe(`x as ${now.accountId}/${Role[now.role]}`);
  });

  it('opens nothing to somebody who was disabled or removed since', async () => {
    await request();
    user = { ...ADA, status: Status.INACTIVE };
    await expect(request()).rejects.toMatchObject({ reason: 'account_disable' });
    user = undefined;
    await expect(request()).rejects.toMatchObject({ reason: 'account_issue' });
  });

  it('ends with the session', async () => {
    await request();
    alive = false;
    await expect(request()).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(request()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(events).toEqual(['session asked', 'session answered']);
  });

  it('fails where its answer is taken, and nowhere else', async () => {
    ahead.route(PATH, () => Promise.reject(new Fault('not_found', 'thing.')));
    await request();
    await expect(request()).rejects.toMatchObject({ code: 'not_found' });
  });
});
