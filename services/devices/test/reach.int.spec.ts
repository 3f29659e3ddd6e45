import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { Role } from '@warren/proto/common/v1/common';
import { CountReachRequestSchema } from '@warren/proto/devices/v1/devices';
import { v7 as uuidv7 } from 'uuid';
import { countReach } from '../src/access/reach.sql.ts';
import { AccessService } from '../src/devices/device-access.service.ts';
import { user } from './callers.ts';
import { DevicesWorld } from './devices.world.ts';
import { pick, random, randomFilter, RandomFleet } from './random.fleet.ts';

const acme = uuidv7();
const zebra = uuidv7();
const owner = user(acme, Role.OWNER);

describe('the reach of grants', () => {
  let world: DevicesWorld;
  let fleet: RandomFleet;

  beforeAll(async () => {
    const names = new Map([
      [acme, 'Acme'],
      [zebra, 'Zebra'],
    ]);
    world = await DevicesWorld.start(names);
    fleet = await RandomFleet.store(world.source, names);
  });
  afterAll(() => world.end());

  const count = (filters: string[], sets: number[][], { accountId = acme, caller = owner } = {}) =>
    world.app
      .get(AccessService)
      .countReach(
        caller,
        create(CountReachRequestSchema, { accountId, filters, sets: sets.map((places) => ({ places })) }),
      );

  it('is the devices that any filter of a set holds for', async () => {
    const filters = Array.from({ length: 70 }, () => randomFilter(2));
    const sets = Array.from({ length: 60 }, () => [...filters.keys()].filter(() => random() < pick([0.02, 0.05, 0.2])));
    const found = filters.map((filter) => fleet.expected(filter, acme));
    const expected = sets.map((places) => new Set(places.flatMap((place) => found[place] ?? [])).size);
    expect(await count(filters, sets)).toEqual({ counts: expected, total: fleet.expected('', acme).length });
    expect(new Set(expected).size).toBeGreaterThan(10);
  });

  it('is every device for an empty filter, and none without a filter or for one that can’t be decided', async () => {
    const total = fleet.expected('', acme).length;
    expect(await count(['', '(', 'in:gone'], [[0], [], [1], [2]])).toEqual({ counts: [total, 0, 0, 0], total });
    expect(await count([], [[]])).toEqual({ counts: [0], total });
    expect(await count([], [])).toEqual({ counts: [], total });
  });

  it.each([
    ['filters', Array.from({ length: 201 }, () => ''), [[0]]],
    ['sets', [''], Array.from({ length: 1_025 }, () => [0])],
    ['sets.1', ['', ''], [[1], [2]]],
    ['sets.0', ['', ''], [[0, 1, 0]]],
  ])('refuses wrong %s', async (field, filters, sets) => {
    const refused = { code: 'invalid_argument', problems: [{ field, message: expect.anything() }] };
    await expect(count(filters, sets)).rejects.toMatchObject(refused);
  });

  it('is the same, however many devices are read at a time', async () => {
    const filters = Array.from({ length: 60 }, () => randomFilter(2));
    const sets = [...filters.keys()].map((place) => [place]);
    const whole = await count(filters, sets);
    for (const devicesEach of [1, 7, whole.total])
      expect(await countReach(world.source, { accountId: acme, filters, sets }, { devicesEach })).toEqual(whole);
  });

  it('ends when it takes too long', async () => {
    const reach = { accountId: acme, filters: [''], sets: [[0]] };
    const counting = countReach(world.source, reach, { devicesEach: 1, longestMs: -1 });
    await expect(counting).rejects.toMatchObject({ code: 'deadline_exceeded' });
  });

  it('is counted three times at once for an account', async () => {
    const blocking = world.source.createQueryRunner();
    await blocking.startTransaction();
    await blocking.query('LOCK TABLE narrow_devices IN ACCESS EXCLUSIVE MODE');
    const counting = Promise.allSettled([0, 1, 2].map(() => count([''], [[0]])));
    await expect(count([''], [[0]])).rejects.toMatchObject({ code: 'resource_exhausted', retryAfter: 2 });
    await blocking.commitTransaction();
    await blocking.release();
    expect((await counting).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    expect(await count([''], [[0]])).toMatchObject({ total: expect.any(Number) });
  });

  it('is refused to other accounts and to members', async () => {
    await expect(count([''], [[0]], { accountId: zebra })).rejects.toMatchObject({ code: 'not_found' });
    const member = user(acme, Role.MEMBER);
    await expect(count([''], [[0]], { caller: member })).rejects.toMatchObject({ code: 'permission_denied' });
  });
});
