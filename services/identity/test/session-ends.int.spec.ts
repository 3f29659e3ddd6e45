import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { EventBus } from '@warren/platform/events/event.bus';
import { timeOfId } from '@warren/platform/events/event.id';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { hashOf } from '../src/secrets/secret.ts';
import { expiredAt } from '../src/sessions/session.events.ts';
import { SessionExpiry } from '../src/sessions/session.expiry.ts';
import { EXPIRY, usedKey } from '../src/sessions/session.scripts.ts';
import { SessionStore } from '../src/sessions/session.store.ts';
import { signOuts } from '../src/telemetry/metrics.ts';
import { gateway, signInRequest, startIdentity, type IdentityProcess } from './identity.process.ts';
import { until } from '@warren/infra/until';

const IDLE_MS = 4_000;
/** So late that a sign-in of some seconds on a busy machine is not taken for the absolute end. */
const ABSOLUTE_MS = 12_000;
const DAY_MS = 86_400_000;

let identity: IdentityProcess;

beforeAll(async () => {
  identity = await startIdentity({ idle: IDLE_MS / 1_000, absolute: ABSOLUTE_MS / 1_000 });
});
afterAll(() => identity.stop());

async function signIn() {
  const request = signInRequest();
  const { session } = await identity.client.signIn(gateway, request);
  return { session, hash: hashOf(session), email: request.saml?.email ?? '' };
}
type SignedIn = Awaited<ReturnType<typeof signIn>>;

const use = ({ session }: SignedIn) => identity.client.getSession(gateway, { session });
const expiryOf = async ({ hash }: SignedIn) => Number((await identity.redis.zscore(EXPIRY.times, hash)) ?? 0);
const sweep = (process: INestApplicationContext = identity.app) => process.get(SessionExpiry).sweep();
const endsOf = ({ email }: SignedIn) => {
  const events = identity.audit();
  const { target } = events.find(({ action, actor }) => action === 'session.sign_in' && actor === email) ?? {};
  return events.filter((event) => event.action !== 'session.sign_in' && event.target === target);
};
const expired = async () => (await signOuts.get()).values.find(({ labels }) => labels.reason === 'expired')?.value ?? 0;

async function isForgotten({ hash }: SignedIn): Promise<boolean> {
  const { redis } = identity;
  const [times, persons] = [await redis.zscore(EXPIRY.times, hash), await redis.hexists(EXPIRY.persons, hash)];
  return times === null && persons === 0 && (await redis.exists(usedKey(hash))) === 0;
}

async function ended(one: SignedIn, ...reasons: string[]): Promise<void> {
  await until(async () => endsOf(one).length === reasons.length);
  expect(endsOf(one).map(({ reason }) => reason)).toEqual(reasons);
  expect(await isForgotten(one)).toBe(true);
}

/** As if the session had expired while no identity process ran. */
async function expireAgo(one: SignedIn, ms: number): Promise<number> {
  const at = Date.now() - ms;
  await identity.redis.multi().del(`identity:session:${one.hash}`).zadd(EXPIRY.times, at, one.hash).exec();
  return at;
}

it('records the end of an unused session with the time of its expiry', async () => {
  const one = await signIn();
  const at = await expiryOf(one);
  await ended(one, 'idle timeout');
  const [event] = endsOf(one);
  expect(event).toMatchObject({ action: 'session.end', time: at, actor: '', account: '' });
  expect(timeOfId(event?.id ?? '')).toBe(at);
});

it('records the absolute end of a session that was used', async () => {
  const one = await signIn();
  const first = await expiryOf(one);
  const end = first + ABSOLUTE_MS - IDLE_MS;
  await until(async () => {
    await use(one);
    return (await expiryOf(one)) >= end - IDLE_MS / 10 - 100;
  });
  await ended(one, 'absolute timeout');
  const { time = 0 } = endsOf(one)[0] ?? {};
  expect(time).toBeGreaterThan(first);
  expect(time).toBeLessThanOrEqual(end);
});

it('keeps a session that was used meanwhile, also by a former release', async () => {
  const one = await signIn();
  const read = { hash: one.hash, expired: (await expiryOf(one)) - 1, person: undefined };
  // Another process moved the expiry after this one had read it.
  expect(await identity.app.get(SessionStore).expire([{ ...read, event: undefined }])).toBe(0);
  expect(await expiryOf(one)).toBe(read.expired + 1);
  // A former release moves the time to live alone.
  await identity.redis.zadd(EXPIRY.times, Date.now() - 1, one.hash);
  const left = await identity.redis.pttl(`identity:session:${one.hash}`);
  await sweep();
  expect(Math.abs((await expiryOf(one)) - (Date.now() + left))).toBeLessThan(IDLE_MS / 2);
  await use(one);
  await ended(one, 'idle timeout');
});

it('records nothing more of a session that was signed out, also by a former release', async () => {
  const [mine, theirs] = [await signIn(), await signIn()];
  await identity.client.signOut(gateway, { session: mine.session });
  expect(await isForgotten(mine)).toBe(true);
  await identity.redis.del(`identity:session:${theirs.hash}`, usedKey(theirs.hash));
  await until(async () => (await expiryOf(theirs)) < Date.now());
  await sweep();
  await ended(mine, '');
  await ended(theirs);
});

it('extends nothing that has ended, and takes up a session of a former release when it is used', async () => {
  const [gone, former] = [await signIn(), await signIn()];
  const [live] = await identity.app.get(SessionStore).load([gone.hash]);
  await identity.client.signOut(gateway, { session: gone.session });
  if (live) await identity.app.get(SessionStore).extend(live, IDLE_MS);
  expect([live?.hash, await isForgotten(gone)]).toEqual([gone.hash, true]);
  const { redis } = identity;
  await redis
    .multi()
    .zrem(EXPIRY.times, former.hash)
    .hdel(EXPIRY.persons, former.hash)
    .del(usedKey(former.hash))
    .exec();
  await until(async () => {
    await use(former);
    return (await expiryOf(former)) > 0;
  });
  await ended(former, 'idle timeout');
});

it('records expiries while the service was down, and none that is too old for its person', async () => {
  const [one, old] = [await signIn(), await signIn()];
  const at = await expireAgo(one, 2 * DAY_MS);
  await expireAgo(old, 8 * DAY_MS);
  await identity.redis.del(usedKey(old.hash));
  await sweep();
  await ended(one, 'idle timeout');
  expect(endsOf(one)[0]?.time).toBe(at);
  await ended(old);
});

it('records many once, by two processes at the same time', async () => {
  const other = await identity.replica();
  try {
    const before = await expired();
    const all: SignedIn[] = [];
    while (all.length < 450) all.push(...(await Promise.all(Array.from({ length: 5 }, signIn))));
    for (const one of all) await expireAgo(one, DAY_MS);
    await Promise.all([sweep(), sweep(other), sweep(), sweep(other)]);
    for (const one of all) await ended(one, 'idle timeout');
    expect((await expired()) - before).toBe(all.length);
    expect(await identity.redis.zcard(EXPIRY.times)).toBe(0);
  } finally {
    await other.close();
  }
});

it('loses none with a process that dies between reading and writing, or between writing and publishing', async () => {
  const [first, second] = [await identity.replica(), await identity.replica()];
  const [one, two] = [await signIn(), await signIn()];
  const at = await expireAgo(one, DAY_MS);
  const store = first.get(SessionStore);
  const due = (await store.due(10)).find(({ hash }) => hash === one.hash);
  expect(due).toMatchObject({ expired: at, person: { saml: { email: one.email } } });
  first.get(RedisLink).client.disconnect();
  await expect(store.expire(due ? [{ ...due, event: undefined }] : [])).rejects.toMatchObject({ code: 'unavailable' });
  await sweep();
  await ended(one, 'idle timeout');

  second.get(EventBus).publishBytes = () => Promise.reject(new Error('died'));
  const died = { hash: two.hash, expired: await expireAgo(two, DAY_MS), person: undefined };
  const [live] = await identity.app.get(SessionStore).due(1);
  if (!live?.person) throw new Error('The session is not due.');
  const event = expiredAt(died.expired, two.hash, live.person, 'idle timeout');
  expect(await second.get(SessionStore).expire([{ ...died, event }])).toBe(1);
  await ended(two, 'idle timeout');
  await Promise.all([first.close(), second.close()]);
});
