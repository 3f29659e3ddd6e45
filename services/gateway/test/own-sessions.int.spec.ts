import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@warren/platform/errors/fault';
import { Role } from '@warren/proto/common/v1/common';
import { IdentityService, type EndOwnSessionsRequest } from '@warren/proto/identity/v1/identity';
import { HUB, person, TestGateway } from './gateway.ts';

const member = person('member', Role.MEMBER);
const secret = member.cookie.slice('warren='.length);
const ID = '3f2a9c0d5b7e41688d1f6a2b9c3e7f10';

describe("one's own browser sessions over REST", () => {
  let gateway: TestGateway;
  const asked: Partial<EndOwnSessionsRequest>[] = [];

  beforeAll(async () => {
    gateway = await TestGateway.start();
    gateway.signIn(member);
    const created = timestampFromMs(1_750_000_000_000);
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
    const own = { id: ID, current: true, created, used: created, remoteAddress: '::ffff:192.0.2.7', userAgent };
    gateway.services.serve(IdentityService, {
      getSession: async (_caller, { session }) => {
        if (session !== secret) throw new Fault('unauthenticated', 'the session has ended.');
        return { identityId: 'i', saml: { email: 'member@hub.test', name: '' } };
      },
      listOwnSessions: async (_caller, { session }) => ({ sessions: session === secret ? [own] : [] }),
      endOwnSessions: async (_caller, { session, id, remoteAddress, userAgent: agent }) => {
        asked.push({ session, id, remoteAddress, userAgent: agent });
        if (id !== '' && id !== ID) throw new Fault('not_found', `session ${id}.`);
        return { ended: 1 };
      },
    });
  });
  beforeEach(() => void (asked.length = 0));
  afterAll(() => gateway?.stop());

  const end = (path: string, headers: Record<string, string> = { origin: HUB, 'user-agent': 'curl/8' }) =>
    gateway.call('DELETE', `/api/sessions${path}`, { as: member, headers });

  it('are listed as people read them', async () => {
    const { status, json } = await gateway.get('/api/sessions', member);
    const time = '2025-06-15T15:06:40.000Z';
    const times = { started_at: time, used_at: time };
    const session = { id: ID, current: 'Yes', ...times, address: '192.0.2.7', browser: 'Firefox on Linux' };
    expect([status, json]).toEqual([200, { sessions: [session] }]);
  });

  it('end one by one, and all others at once', async () => {
    expect((await end(`/${ID}`)).status).toBe(200);
    expect((await end('')).status).toBe(200);
    const by = { session: secret, remoteAddress: '127.0.0.1', userAgent: 'curl/8' };
    expect(asked).toEqual([
      { ...by, id: ID },
      { ...by, id: '' },
    ]);
  });

  it('are refused by an invalid id, or of no session of this person', async () => {
    expect((await end('/x')).status).toBe(400);
    expect((await end(`/${ID.replaceAll('3', '4')}`)).status).toBe(404);
  });

  it('are for those who are signed in, and end from the pages of the hub alone', async () => {
    expect((await gateway.get('/api/sessions')).status).toBe(401);
    expect((await gateway.call('DELETE', '/api/sessions', { headers: { origin: HUB } })).status).toBe(401);
    expect((await end('', { origin: 'http://evil.test' })).status).toBe(403);
    expect(asked).toEqual([]);
  });
});
