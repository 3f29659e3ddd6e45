import { accessRules, mark } from '../../support/matrix/bodies.ts';
import type { Actor } from '../../support/matrix/cast.ts';
import { WITHOUT } from '../../support/matrix/grant.policy.ts';
import { join } from '../../support/matrix/invite.ts';
import { Place } from '../../support/matrix/place.ts';
import { sessionCookie } from '../../support/matrix/sign-in.ts';
import { expect, requestOf, test, type World } from '../../support/matrix/world.ts';
import { table } from './grants.table.ts';

const lines = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));
const [head = [], ...rows] = lines;
const PERMISSIONS = head.slice(1 + WITHOUT.length);
/** An account of other people. */
const OTHER = 'Harbour Lab';

/** A Member of an account with explicit grants only, which the test makes. */
class Restricted {
  readonly place: Place;
  readonly userId: string;
  private readonly world: World;
  private readonly actor: Actor;

  private constructor(world: World, place: Place, actor: Actor, userId: string) {
    this.world = world;
    this.place = place;
    this.actor = actor;
    this.userId = userId;
  }

  static async make(world: World): Promise<Restricted> {
    const { hub, inviting } = world.cast;
    const boss = inviting.cookie;
    const name = `Matrix ${mark()}`;
    const { account } = await hub.must<{ account: { id: string } }>(boss, 'POST', '/api/accounts/new', { name });
    const email = `restricted-${mark()}@matrix.example`;
    const userId = await join(inviting, email, account.id);
    const path = `/api/accounts/${account.id}/access`;
    await hub.must(boss, 'PUT', `${path}/rules`, accessRules());
    await hub.must(boss, 'PUT', path, { mode: 'explicit' });
    const cookie = await sessionCookie(hub.origin, email);
    const actor: Actor = { name: 'member', subject: 'member', cookie, email, account: name, other: OTHER };
    return new Restricted(world, new Place(inviting, name, account.id), actor, userId);
  }

  /** What each operation answers about a device of an account. */
  async answers(place = this.place): Promise<Record<string, string>> {
    const answered: Record<string, string> = {};
    for (const [row = ''] of rows) answered[row] = await this.answer(row, place);
    return answered;
  }

  /** What the operation of a row answers. */
  async answer(row: string, place = this.place): Promise<string> {
    const [id = '', variant = ''] = row.split(':');
    const { values } = await this.world.input(id, this.actor, place, variant);
    const purpose = id === 'getSocketToken' && variant ? { purpose: variant } : {};
    const request = requestOf(this.world.operation(id), { ...values, ...purpose });
    return String((await this.world.cast.hub.call(this.actor.cookie, request)).status);
  }

  /** Starts a bulk job with the id of a device. @returns what has failed, and for how many devices */
  async bulkFailures(place = this.place): Promise<string[]> {
    const { hub } = this.world.cast;
    const { values } = await this.world.input('startBulkJob', this.actor, place, 'ids');
    const { id } = await hub.must<{ id: string }>(this.actor.cookie, 'POST', '/api/devices/bulk', values);
    type Job = { counts: { total: number; failed: number }; failures: { code: string; count: number }[] };
    const { counts, failures } = await hub.must<Job>(this.actor.cookie, 'GET', `/api/devices/bulk/${id}`);
    expect(counts.failed).toBe(counts.total);
    return failures.map(({ code, count }) => `${code} ${count}`);
  }

  /** Gives a grant, as a SuperAdmin. @returns what withdraws it */
  async grant(user: string, permissions: readonly string[], filter: string): Promise<() => Promise<unknown>> {
    const { hub, inviting } = this.world.cast;
    const path = `/api/accounts/${this.place.id}/grants`;
    const body = { subject: { kind: 'user', id: user }, permissions, filter };
    const { result } = await hub.must<{ result: { id: string } }>(inviting.cookie, 'POST', path, body);
    return () => hub.must(inviting.cookie, 'DELETE', `${path}/${result.id}`);
  }

  remove(): Promise<unknown> {
    const { hub, inviting } = this.world.cast;
    return hub.must(inviting.cookie, 'DELETE', `/api/accounts/${this.place.id}`);
  }
}

const column = (name: string) =>
  Object.fromEntries(rows.map(([row = '', ...cells]) => [row, cells[head.indexOf(name) - 1]]));

test('a grant gives its permission on its devices, to its person, while it lasts, and nothing else', async ({
  world,
}) => {
  test.setTimeout(180_000);
  const restricted = await Restricted.make(world);
  const expectColumn = (name: string, message: string) =>
    expect.poll(() => restricted.answers(), { message, timeout: 20_000 }).toEqual(column(name));
  try {
    await expectColumn('none', 'without a grant');
    for (const permission of PERMISSIONS) {
      const withdraw = await restricted.grant(restricted.userId, [permission], '');
      await expectColumn(permission, `with ${permission}`);
      await withdraw();
    }
    await expectColumn('none', 'after the grants');
    await restricted.grant(restricted.userId, PERMISSIONS, 'site=elsewhere');
    const other = await join(world.cast.inviting, `other-${mark()}@matrix.example`, restricted.place.id);
    await restricted.grant(other, PERMISSIONS, '');
    await expectColumn('elsewhere', 'with grants for other devices, and for another person');
    expect(await restricted.bulkFailures()).toEqual(['not_found 1']);
    await restricted.grant(restricted.userId, PERMISSIONS, '');
    // It holds for the devices of its account.
    await expect.poll(() => restricted.answer('rebootDevice'), { timeout: 20_000 }).toBe('503');
    expect(await restricted.answers(world.place(OTHER)), 'on a device of another account').toEqual(column('other'));
    expect(await restricted.bulkFailures(world.place(OTHER))).toEqual(['not_found 1']);
  } finally {
    await restricted.remove();
  }
});
