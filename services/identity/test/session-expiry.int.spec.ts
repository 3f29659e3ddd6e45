import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { hashOf } from '../src/secrets/secret.ts';
import { gateway, signInRequest, startIdentity, tunnels, type IdentityProcess } from './identity.process.ts';
import { until } from '@warren/infra/until';

const IDLE_S = 2;
const ABSOLUTE_S = 7;
/** The expiry moves no more often than this, so a session may end so much earlier; never later. */
const TOUCH_S = IDLE_S / 10;
const TEST_MS = 30_000;
/** The earliest end of a session of this age that was last used at that age: its use may have come late on a busy machine. */
const earliest = (usedMs: number) => Math.min(ABSOLUTE_S * 1_000, usedMs + IDLE_S * 1_000) - TOUCH_S * 1_000 - 50;
let identity: IdentityProcess;

const isOpen = (session: string) =>
  identity.client.getSession(gateway, { session }).then(
    () => true,
    (error: { code: string }) => {
      if (error.code !== 'unauthenticated') throw error;
      return false;
    },
  );

/** Signs in until all is there when it is looked at: a busy machine may take longer to look than the session lives. */
async function signedIn<There>(who: Parameters<typeof signInRequest>[0], look: (session: string) => Promise<There>) {
  for (;;) {
    const began = Date.now();
    const { session } = await identity.client.signIn(gateway, signInRequest(who));
    const there = await look(session);
    if (Date.now() - began < IDLE_S * 1_000 - 100) return { session, began, there };
  }
}

beforeAll(async () => {
  identity = await startIdentity({ idle: IDLE_S, absolute: ABSOLUTE_S });
});
afterAll(() => identity.stop());

it(
  'ends an unused session after the idle time, and leaves no key behind',
  async () => {
    const { session, began, there } = await signedIn({}, isOpen);
    expect(there).toBe(true);
    // Asking the service would be using it, so Redis is asked.
    await until(async () => !(await identity.redis.exists(`identity:session:${hashOf(session)}`)), 12_000);
    expect(Date.now() - began).toBeGreaterThanOrEqual(IDLE_S * 1_000 - 50);
    expect(await isOpen(session)).toBe(false);
  },
  TEST_MS,
);

it(
  'ends a session that is only looked at in the background after the idle time',
  async () => {
    const { session } = await identity.client.signIn(gateway, signInRequest());
    const look = () => identity.client.getSession(gateway, { session, background: true });
    const began = Date.now();
    await until(
      () =>
        look().then(
          () => false,
          () => true,
        ),
      12_000,
    );
    expect(Date.now() - began).toBeLessThan(ABSOLUTE_S * 1_000 - 500);
  },
  TEST_MS,
);

it(
  'keeps a session that is used beyond the idle time, and ends it at its absolute end all the same',
  async () => {
    const began = Date.now();
    const { session } = await identity.client.signIn(gateway, signInRequest());
    let used = 0;
    const ends = async () => {
      const asked = Date.now() - began;
      if (!(await isOpen(session))) return true;
      used = asked;
      return false;
    };
    await until(ends, 12_000);
    expect(Date.now() - began).toBeGreaterThanOrEqual(earliest(used));
  },
  TEST_MS,
);

it(
  'forgets the indexes of sessions that have ended',
  async () => {
    const email = `${randomUUID()}@example.com`;
    const indexes = [
      `identity:sessions:email:${hashOf(email)}`,
      `identity:sessions:subject:${hashOf('default', email)}`,
    ];
    const exist = () => identity.redis.exists(indexes);
    expect((await signedIn({ email, nameId: email }, exist)).there).toBe(2);
    await until(async () => (await exist()) === 0, 12_000);
  },
  TEST_MS,
);

it(
  'is kept by what a person does in a socket, by nothing else that tunnels asks, and never beyond its absolute end',
  async () => {
    const began = Date.now();
    const [busy, quiet] = await Promise.all(
      [1, 2].map(async () => hashOf((await identity.client.signIn(gateway, signInRequest())).session)),
    );
    const ended = new Map<string, number>();
    let used = 0;
    let mostMs = 0;
    await until(async () => {
      const asked = [
        { session: busy ?? '', used: true },
        { session: quiet ?? '', used: false },
      ];
      const at = Date.now() - began;
      const { leftMs } = await identity.client.checkSessions(tunnels, { sessions: asked });
      if (leftMs[0] !== 0) used = at;
      mostMs = Math.max(mostMs, ...leftMs);
      for (const [index, { session }] of asked.entries())
        if (leftMs[index] === 0 && !ended.has(session)) ended.set(session, Date.now() - began);
      return ended.size === 2;
    }, 12_000);
    expect(mostMs).toBeLessThanOrEqual(IDLE_S * 1_000);
    expect(ended.get(quiet ?? '')).toBeLessThan(ABSOLUTE_S * 1_000 - 500);
    expect(ended.get(busy ?? '')).toBeGreaterThanOrEqual(earliest(used));
  },
  TEST_MS,
);
