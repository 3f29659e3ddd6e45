import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { PageRequestSchema, Role } from '@warren/proto/common/v1/common';
import { DeviceSort } from '@warren/proto/devices/v1/devices';
import { v7 as uuidv7 } from 'uuid';
import { DevicesService } from '../src/devices/devices.service.ts';
import { byToken, user } from './callers.ts';
import { DevicesWorld } from './devices.world.ts';
import { RandomFleet, randomFilter, TERMS } from './random.fleet.ts';

describe('filters of the list', () => {
  let world: DevicesWorld;
  const acme = uuidv7();
  const zebra = uuidv7();
  let fleet: RandomFleet;

  beforeAll(async () => {
    world = await DevicesWorld.start(
      new Map([
        [acme, 'Acme'],
        [zebra, 'Zebra'],
      ]),
    );
    const names = new Map([
      [acme, 'Acme'],
      [zebra, 'Zebra'],
    ]);
    fleet = await RandomFleet.store(world.source, names);
  });
  afterAll(() => world.end());

  async function found(filter: string, caller = world.superAdmin): Promise<{ ids: string[]; total: number }> {
    const pages = [1, 2].map((page) =>
      world.app.get(DevicesService).list(caller, {
        accountId: '',
        sort: DeviceSort.NAME,
        filter,
        page: create(PageRequestSchema, { page, limit: 200 }),
      }),
    );
    const answers = await Promise.all(pages);
    return {
      ids: answers.flatMap((answer) => answer.devices?.map(({ id = '' }) => id) ?? []).sort(),
      total: answers[0]?.total ?? -1,
    };
  }

  it.each(TERMS)('%s finds what it holds for', async (term) => {
    expect(await found(term)).toEqual({ ids: fleet.expected(term), total: fleet.expected(term).length });
  });

  it('find what they hold for, whatever they combine', async () => {
    for (let i = 0; i < 150; i++) {
      const filter = randomFilter(3);
      expect({ filter, ...(await found(filter)) }).toEqual({
        filter,
        ids: fleet.expected(filter),
        total: fleet.expected(filter).length,
      });
    }
  });

  it("find nothing of another account's", async () => {
    const member = user(acme, Role.MEMBER);
    for (const filter of ['pi', 'status=connected or -status=connected', `account=${zebra}`])
      expect((await found(filter, member)).ids).toEqual(fleet.expected(filter, acme));
  });

  it('limit API tokens: what a token is not for is neither listed, counted nor found', async () => {
    const service = world.app.get(DevicesService);
    const limit = 'os~bookworm cpu>=50';
    const caller = byToken(world.superAdmin, ['devices.read'], limit);
    const within = fleet.expected(limit);
    expect((await found('', caller)).ids).toEqual(within);
    const filter = 'status=connected or model~"Pi 4"';
    const both = fleet.expected(`(${limit}) (${filter})`);
    expect((await found(filter, caller)).ids).toEqual(both);
    expect((await service.counts(caller, { accountId: '', filter })).total).toBe(both.length);
    const [id = ''] = within;
    expect((await service.get(caller, { id })).device.id).toBe(id);
    const outside = [...fleet.devices].find(([other]) => !within.includes(other));
    const [otherId = '', { serial = '' } = {}] = outside ?? [];
    await expect(service.get(caller, { id: otherId })).rejects.toMatchObject({ code: 'not_found' });
    await expect(service.getBySerial(caller, { serial })).rejects.toMatchObject({ code: 'not_found' });
    const narrow = byToken(world.superAdmin, ['users.list']);
    await expect(service.get(narrow, { id })).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('are counted', async () => {
    const filter = 'os~bookworm status=connected';
    const counts = await world.app.get(DevicesService).counts(world.superAdmin, { accountId: '', filter });
    expect(counts).toEqual({ total: fleet.expected(filter).length, connected: fleet.expected(filter).length });
  });

  it('are refused at the place that is wrong', async () => {
    await expect(found('os~bookworm cpu>')).rejects.toMatchObject({
      code: 'invalid_argument',
      problems: [{ field: 'filter', message: 'Expected a value after “cpu>”. (at character 16)' }],
    });
  });

  // Devices without a label are last in both directions.
  const reversible = Object.values(DeviceSort).filter((sort) => typeof sort === 'number' && sort !== DeviceSort.LABEL);
  it.each(reversible as DeviceSort[])('keep one order by sort %s, descending in reverse', async (sort) => {
    const list = async (order: number) => {
      const page = create(PageRequestSchema, { limit: 200, order });
      const request = { accountId: acme, sort, filter: '', page };
      return (await world.app.get(DevicesService).list(world.superAdmin, request)).devices?.map(({ id }) => id);
    };
    const ascending = await list(1);
    expect(ascending?.length).toBeGreaterThan(50);
    expect(await list(2)).toEqual(ascending?.toReversed());
  });
});
