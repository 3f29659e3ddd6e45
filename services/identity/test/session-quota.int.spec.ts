import { until } from '@warren/infra/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { hashOf } from '../src/secrets/secret.ts';
import { gateway, signInRequest, startIdentity, tunnels, type IdentityProcess } from './identity.process.ts';

describe('the quota of sessions', () => {
  let identity: IdentityProcess;

  beforeAll(async () => {
    identity = await startIdentity();
  });
  afterAll(() => identity.stop());

  const signIn = async (accountId: string, mostSessions?: bigint, email = `${randomUUID()}@acme.test`) => {
    const quota = { accountId, ...(mostSessions === undefined ? {} : { mostSessions }) };
    return (await identity.client.signIn(gateway, { ...signInRequest({ email }), ...quota })).session;
  };
  const isOpen = (session: string) =>
    identity.client.getSession(gateway, { session, background: true }).then(
      () => true,
      ({ code }: { code: string }) => code !== 'unauthenticated',
    );
  const count = async (accountId: string) => (await identity.client.countSessions(gateway, { accountId })).sessions;

  it('ends the session unused for the longest, with an audit event', async () => {
    const [account, email] = [randomUUID(), `${randomUUID()}@acme.test`];
    const first = await signIn(account, 2n);
    const second = await signIn(account, 2n, email);
    await identity.redis.set(`identity:session-used:${hashOf(first)}`, Date.now() + 1_000);
    const third = await signIn(account, 2n);
    expect(await Promise.all([first, second, third].map(isOpen))).toEqual([true, false, true]);
    expect(await count(account)).toBe(2);
    const ends = () => identity.audit().filter(({ action }) => action === 'session.end');
    await until(async () => ends().length > 0);
    expect(ends()).toMatchObject([{ reason: 'unused the longest, since the account may have 2' }]);
  });

  it('holds for sign-ins at the same time', async () => {
    const account = randomUUID();
    await Promise.all(Array.from({ length: 8 }, () => signIn(account, 3n)));
    await signIn(account, 3n);
    expect(await count(account)).toBe(3);
  });

  it("counts neither what has ended nor another account's, and ends nothing without a limit", async () => {
    const [account, other] = [randomUUID(), randomUUID()];
    const session = await signIn(account, 1n);
    await identity.client.signOut(gateway, { session });
    const [kept, theirs, free] = [await signIn(account, 1n), await signIn(other, 1n), await signIn('', 1n)];
    expect(await Promise.all([kept, theirs, free].map(isOpen))).toEqual([true, true, true]);
    await signIn(account);
    expect([await count(account), await count(other), await count('')]).toEqual([2, 1, 0]);
  });

  it('is counted for the gateway alone', async () => {
    const counted = identity.client.countSessions(tunnels, { accountId: randomUUID() });
    await expect(counted).rejects.toMatchObject({ code: 'permission_denied' });
  });
});
