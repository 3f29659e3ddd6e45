import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DevicePermission, type UserCaller } from '@warren/proto/common/v1/common';
import { GuestLinkState } from '@warren/proto/identity/v1/guests';
import { registry } from '@warren/platform/telemetry/metrics';
import { randomUUID } from 'node:crypto';
import { codeOf, GuestWorld, type Made } from './guest.world.ts';
import { until } from '@warren/infra/until';

let world: GuestWorld;

beforeAll(async () => {
  world = await GuestWorld.start();
});
beforeEach(() => world.allow());
afterAll(() => world?.stop(), 30_000);

/** The deadline of one call of a review. */
const REVIEW_MS = 5_000;
async function gauge(name: string): Promise<number> {
  const { values = [] } = (await registry.getSingleMetric(`warren_identity_guest_reviews_${name}`)?.get()) ?? {};
  return values[0]?.value ?? 0;
}

const allow = (permissions: DevicePermission[]) => Object.assign(world.neighbours.now, { permissions });
const ended = (made: Made) => until(async () => (await world.stateOf(made)) === GuestLinkState.ENDED);
const deviceChanged = (user: UserCaller, { deviceId }: Made, actor?: string) =>
  world.publish(user, { case: 'deviceChanged', value: { deviceId } }, actor);

describe('a link whose maker loses what it gives', () => {
  type Loss = (user: UserCaller, made: Made) => Promise<unknown>;
  const losses: [string, string, Loss][] = [
    [
      'a grant is withdrawn',
      'may not open',
      (user) => {
        allow([DevicePermission.VIEW]);
        return world.accessChanged(user);
      },
    ],
    [
      'guest links are switched off',
      'switched off',
      (user) => {
        world.neighbours.now.guestLinks = false;
        return world.accessChanged(user);
      },
    ],
    [
      'labels of the device change',
      'may not open',
      (user, made) => {
        allow([]);
        return deviceChanged(user, made);
      },
    ],
    [
      'a saved filter that a grant names changes',
      'may not open',
      (user) => {
        allow([]);
        return world.publish(user, { case: 'savedFilterChanged', value: { accountId: user.accountId } });
      },
    ],
    [
      'the device is in another account',
      'may not open',
      (user, made) => {
        world.neighbours.now.accountId = randomUUID();
        return deviceChanged(user, made);
      },
    ],
    [
      'the group of the maker is another one',
      'may not open',
      (user) => {
        allow([DevicePermission.VIEW]);
        return world.userChanged(user);
      },
    ],
  ];

  it.each(losses)('ends for good within two seconds when %s', async (_when, reason, lose) => {
    const ada = world.somebody();
    const made = await world.make(ada);
    const from = performance.now();
    await lose(ada, made);
    await ended(made);
    expect(performance.now() - from).toBeLessThan(2_000);
    await until(async () => world.endOf(made) !== undefined);
    expect(world.endOf(made)?.reason).toContain(reason);
    world.allow();
    await world.accessChanged(ada);
    expect(await codeOf(world.redeem(made))).toBe('failed_precondition');
  });

  it('stays open with the right, and for what the device reports itself', async () => {
    const [ada, other] = [world.somebody(), world.somebody()];
    const made = await world.make(ada);
    await world.accessChanged(ada);
    await until(async () => world.neighbours.asked.includes(made.deviceId));
    await until(async () => !(await world.waiting()).includes(made.id));
    allow([]);
    await deviceChanged(ada, made, '');
    // Events come in their order, so a later one is handled after those.
    const last = await world.make(other);
    await world.accessChanged(other);
    await ended(last);
    expect(await world.waiting()).not.toContain(made.id);
    expect(await world.stateOf(made)).toBe(GuestLinkState.OPEN);
  });
});

describe('reviews of links', () => {
  it('are one for a burst of events, and one more for an event that comes meanwhile', async () => {
    const ada = world.somebody();
    const made = await world.make(ada);
    const { asked, held } = world.neighbours;
    await Promise.all(Array.from({ length: 50 }, () => world.accessChanged(ada)));
    await until(async () => asked.includes(made.deviceId) && (await world.waiting()).length === 0);
    const times = () => asked.filter((id) => id === made.deviceId).length;
    // One or two as a rule, and a few more on a busy machine.
    expect(times()).toBeLessThan(20);
    let release = () => {};
    held.set(ada.userId, new Promise((resolve) => (release = resolve)));
    const before = times();
    await world.accessChanged(ada);
    await until(async () => times() > before);
    await world.accessChanged(ada);
    const marks = `SELECT marks FROM guest_reviews WHERE link_id = '${made.id}'`;
    const marked = async () => ((await world.identity.sql(marks)) as { marks: number }[])[0]?.marks === 2;
    await until(marked);
    held.delete(ada.userId);
    release();
    // More than two on a machine so slow that the first ones reach their deadline.
    await until(async () => times() >= before + 2 && (await world.waiting()).length === 0);
  });

  it('keep no other event waiting while a service does not answer', async () => {
    const [ada, bob] = [world.somebody(), world.somebody()];
    const [made, other] = [await world.make(ada), await world.make(bob)];
    let release = () => {};
    world.neighbours.held.set(ada.userId, new Promise((resolve) => (release = resolve)));
    try {
      await world.accessChanged(ada);
      await until(async () => (await world.waiting()).includes(made.id));
      const from = performance.now();
      await world.userChanged(bob, false);
      await ended(other);
      expect(performance.now() - from).toBeLessThan(2_000);
      expect(await world.waiting()).toContain(made.id);
    } finally {
      world.neighbours.held.delete(ada.userId);
      release();
    }
    await until(async () => (await world.waiting()).length === 0);
  });

  it('of many makers end while some get no answer', async () => {
    const slow = [world.somebody(), world.somebody(), world.somebody()];
    const others = Array.from({ length: 6 }, () => world.somebody());
    let release = () => {};
    const answered = new Promise<void>((resolve) => (release = resolve));
    for (const { userId } of slow) world.neighbours.held.set(userId, answered);
    const stuck = await Promise.all(slow.map((one) => world.make(one)));
    const made = await Promise.all(others.map((one) => world.make(one)));
    try {
      for (const one of slow) await world.accessChanged(one);
      await until(async () => stuck.every((one) => world.neighbours.asked.includes(one.deviceId)));
      allow([]);
      const from = performance.now();
      for (const one of others) await world.accessChanged(one);
      await Promise.all(made.map(ended));
      expect(performance.now() - from).toBeLessThan(REVIEW_MS);
      expect(await Promise.all(stuck.map((one) => world.stateOf(one)))).toEqual(Array(3).fill(GuestLinkState.OPEN));
      expect((await gauge('due')) >= 3 && (await gauge('oldest_seconds')) > 0).toBe(true);
    } finally {
      world.neighbours.held.clear();
      release();
    }
    await Promise.all(stuck.map(ended));
    await until(async () => (await gauge('due')) + (await gauge('oldest_seconds')) === 0);
  });

  it('of a replica that died are claimed after the deadlines of a review', async () => {
    const ada = world.somebody();
    const made = await world.make(ada);
    allow([]);
    await world.identity.sql(`INSERT INTO guest_reviews (link_id, due_at, marked_at, claimed_until)
      VALUES ('${made.id}', now(), now(), now() + interval '1 h')`);
    const other = await world.make(world.somebody());
    await world.identity.sql(`INSERT INTO guest_reviews (link_id, due_at) VALUES ('${other.id}', now())`);
    await ended(other);
    expect(await world.stateOf(made)).toBe(GuestLinkState.OPEN);
    await world.identity.sql('UPDATE guest_reviews SET claimed_until = now()');
    await ended(made);
    let release = () => {};
    const bob = world.somebody();
    world.neighbours.held.set(bob.userId, new Promise((resolve) => (release = resolve)));
    const late = await world.make(bob);
    await world.accessChanged(bob);
    const claim = `SELECT claimed_until < now() + interval '16 s' AS short FROM guest_reviews
      WHERE link_id = '${late.id}' AND claimed_until IS NOT NULL`;
    await until(async () => ((await world.identity.sql(claim)) as unknown[]).length === 1);
    expect(await world.identity.sql(claim)).toEqual([{ short: true }]);
    world.neighbours.held.clear();
    release();
    await ended(late);
  });

  /** Those that wait for an upgrade, or for a service. */
  const postponed = async ({ id }: Made) => {
    const due = `due_at BETWEEN now() + interval '1 s' AND now() + interval '40 s'`;
    const rows = await world.identity.sql(`SELECT 1 FROM guest_reviews WHERE link_id = '${id}' AND ${due}`);
    return (rows as unknown[]).length === 1;
  };
  const versions: [string, (made: Made) => unknown][] = [
    ['a devices service of before refuses identity', () => (world.neighbours.now.refuses = true)],
    [
      'a tenancy of before does not say whether guest links are on',
      () => (world.neighbours.now.guestLinks = undefined),
    ],
    [
      'the purpose is one of a later version',
      ({ id }) => world.identity.sql(`UPDATE guest_links SET purpose = 'files' WHERE id = '${id}'`),
    ],
  ];

  it('come at once for an event after a refusal has postponed them', async () => {
    const ada = world.somebody();
    const made = await world.make(ada);
    world.neighbours.now.refuses = true;
    await world.accessChanged(ada);
    await until(() => postponed(made));
    world.neighbours.now.refuses = false;
    allow([]);
    const from = performance.now();
    await world.accessChanged(ada);
    await ended(made);
    expect(performance.now() - from).toBeLessThan(2_000);
  });

  it.each(versions)('end no link when %s, and wait until an upgrade settles it', async (_when, change) => {
    const ada = world.somebody();
    const made = await world.make(ada);
    await change(made);
    allow([]);
    await world.accessChanged(ada);
    await until(() => postponed(made));
    expect(await world.stateOf(made)).toBe(GuestLinkState.OPEN);
    // Events of others are handled meanwhile.
    const bob = world.somebody();
    const other = await world.make(bob);
    await world.userChanged(bob, false);
    await ended(other);
    Object.assign(world.neighbours.now, { refuses: false, guestLinks: true });
    await world.identity.sql(`UPDATE guest_links SET purpose = 'web' WHERE id = '${made.id}'`);
    await world.identity.sql('UPDATE guest_reviews SET due_at = now()');
    await ended(made);
  });
});
