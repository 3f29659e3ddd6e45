import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startRedis, urlOfUser, userArguments } from '@warren/infra/redis';
import { until } from '@warren/infra/until';
import { MEMBERS, sessionKey } from '@warren/platform/broker/keys';
import { Fault } from '@warren/platform/errors/fault';
import type { RedisLink } from '@warren/platform/redis/redis.module';
import { createRpcClient } from '@warren/platform/rpc/client';
import { LocalTransport } from '@warren/platform/rpc/local.transport';
import { Role, Status } from '@warren/proto/common/v1/common';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { TokensService } from '@warren/proto/identity/v1/tokens';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { Redis } from 'ioredis';
import { KnownSessions } from '../src/auth/known.sessions.ts';
import { SessionReader } from '../src/auth/session.reader.ts';
import { REDIS_USER } from './gateway.ts';

const SECRET = 's'.repeat(43);
const HOUR_MS = 3_600_000;
const realNow = performance.now.bind(performance);
const ADA = {
  id: 'u',
  email: 'ada@hub.test',
  name: 'Ada',
  accountId: 'a',
  groupId: 'g',
  role: Role.OWNER,
  status: Status.ACTIVE,
};

describe('a session that the gateway knows', () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let redis: Redis;
  let client: Redis;
  let asked: string[];
  let user: typeof ADA | undefined;
  /** What happens while tenancy answers. */
  let answering: (() => Promise<void>) | undefined;
  let refusing: boolean;
  let passedMs: number;
  /** When time stopped: a busy machine may take longer than a test lets pass. */
  let stoppedAt: number | undefined;
  let reader: SessionReader;

  beforeAll(async () => {
    server = await startRedis({}, userArguments(REDIS_USER));
    redis = new Redis(server.url);
    client = new Redis(urlOfUser(server.url, REDIS_USER.name));
  });
  afterAll(async () => {
    redis?.disconnect();
    client?.disconnect();
    await server?.stop();
  });
  afterEach(() => void jest.restoreAllMocks());

  beforeEach(async () => {
    asked = [];
    user = ADA;
    answering = undefined;
    refusing = false;
    passedMs = 0;
    stoppedAt = undefined;
    await change();
    await begin(HOUR_MS);
    reader = newGateway();
    laterBy(0);
  });

  function newGateway(of = client): SessionReader {
    const transport = new LocalTransport()
      .serve(IdentityService, {
        getSession: async () => {
          asked.push('session');
          const leftMs = await redis.pttl(sessionKey('h'));
          if (leftMs <= 0 || refusing) throw new Fault('unauthenticated', 'the session has ended.');
          return { id: 'h', identityId: 'i', saml: { email: ADA.email, name: ADA.name }, leftMs };
        },
      })
      .serve(TenancyService, {
        resolveMember: async () => {
          asked.push('member');
          const answer = { ...(user && { user }), accountStatus: Status.ACTIVE };
          await answering?.();
          return answer;
        },
      });
    const known = new KnownSessions({ client: of } as unknown as RedisLink);
    return new SessionReader(
      createRpcClient(IdentityService, transport),
      createRpcClient(TokensService, transport),
      createRpcClient(TenancyService, transport),
      known,
    );
  }

  const begin = (leftMs: number) => redis.set(sessionKey('h'), '{}', 'PX', leftMs);
  const change = () => redis.set(MEMBERS.version, crypto.randomUUID());
  const read = () => reader.read(SECRET, 'r');

  /** Makes requests in turn. @returns whom the gateway asked for the last one */
  async function askedBy(requests: number): Promise<string[]> {
    for (let made = 0; made < requests; made++) {
      asked = [];
      await read();
    }
    return asked;
  }

  /** Stops time, so much later. */
  function laterBy(ms: number): void {
    passedMs += ms;
    const from = (stoppedAt ??= realNow());
    jest.spyOn(performance, 'now').mockImplementation(() => from + passedMs);
  }

  it('is asked for once', async () => {
    expect(await askedBy(1)).toEqual(['session', 'member']);
    expect(await askedBy(3)).toEqual([]);
    const { caller, denial, signedIn } = await read();
    expect(caller?.kind.value).toMatchObject({ userId: 'u', accountId: 'a', role: Role.OWNER });
    expect([denial, signedIn.secret, signedIn.session.saml?.email]).toEqual([undefined, SECRET, ADA.email]);
  });

  it('ends with the next request, in each gateway', async () => {
    const other = newGateway();
    await Promise.all([read(), other.read(SECRET)]);
    await redis.del(sessionKey('h'));
    for (const gateway of [reader, other])
      await expect(gateway.read(SECRET)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('has the time left that Redis tells', async () => {
    await read();
    await begin(60_000);
    const { leftMs } = (await read()).signedIn.session;
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(60_000);
  });

  it.each([
    ['after ten seconds of use', HOUR_MS, 10_001],
    ['within a tenth of the time left', 60_000, 6_001],
  ])('is extended %s, once for many requests, and none waits for it', async (_when, leftMs, later) => {
    await begin(leftMs);
    expect(await askedBy(2)).toEqual([]);
    laterBy(later);
    asked = [];
    const answers = await Promise.all([read(), read(), read()]);
    expect(answers.map(({ denial }) => denial)).toEqual([undefined, undefined, undefined]);
    expect(asked.filter((who) => who === 'session')).toEqual(['session']);
  });

  it('is forgotten when identity does not take it any more', async () => {
    await read();
    refusing = true;
    laterBy(10_001);
    const refused = () =>
      read().then(
        () => false,
        (error: unknown) => error instanceof Fault && error.code === 'unauthenticated',
      );
    await until(refused);
  });

  it.each([
    ['has another role', { ...ADA, role: Role.MEMBER }, undefined],
    ['is disabled', { ...ADA, status: Status.INACTIVE }, 'account_disable'],
    ['is removed', undefined, 'account_issue'],
  ])('gives no right to a person who %s since', async (_what, now, code) => {
    await askedBy(2);
    user = now;
    await change();
    const { caller, denial } = await read();
    expect(denial).toBe(code);
    expect(caller?.kind.value).toEqual(code ? undefined : expect.objectContaining({ role: Role.MEMBER }));
    expect(asked).toEqual(['member']);
  });

  it('gives a right that was granted since', async () => {
    user = undefined;
    expect((await read()).caller).toBeUndefined();
    user = ADA;
    await change();
    expect((await read()).caller).toBeDefined();
  });

  it('is kept for two seconds if no change was heard of', async () => {
    await read();
    user = undefined;
    laterBy(MEMBERS.keptMs);
    expect((await read()).denial).toBe('account_issue');
    expect(asked).toEqual(['session', 'member', 'member']);
  });

  it('is kept for two seconds from before it was asked for, however late the answer was', async () => {
    answering = async () => laterBy(1_500);
    laterBy(0);
    await read();
    answering = undefined;
    user = undefined;
    expect((await read()).denial).toBeUndefined();
    laterBy(600);
    expect((await read()).denial).toBe('account_issue');
  });

  it('keeps no answer that a change may have overtaken', async () => {
    answering = async () => {
      user = { ...ADA, role: Role.MEMBER };
      await change();
    };
    expect((await read()).caller?.kind.value).toMatchObject({ role: Role.OWNER });
    answering = undefined;
    expect((await read()).caller?.kind.value).toMatchObject({ role: Role.MEMBER });
  });

  it('is asked for each time while Redis has no version of members', async () => {
    await redis.del(MEMBERS.version);
    expect(await askedBy(3)).toEqual(['session', 'member']);
    await change();
    expect(await askedBy(2)).toEqual([]);
    await redis.flushall();
    await expect(read()).rejects.toMatchObject({ code: 'unauthenticated' });
    await begin(HOUR_MS);
    expect(await askedBy(2)).toContain('member');
  });

  it('is asked for in the background without being used', async () => {
    await askedBy(2);
    asked = [];
    await reader.read(SECRET, 'r', true);
    expect(asked).toEqual(['session', 'member']);
  });

  it('is asked for while Redis is away', async () => {
    const gone = new Redis(urlOfUser(server.url, REDIS_USER.name), { retryStrategy: () => null });
    reader = newGateway(gone);
    expect(await askedBy(2)).toEqual([]);
    gone.disconnect();
    expect(await askedBy(2)).toEqual(['session', 'member']);
  });
});
