import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { until } from '@warren/infra/until';
import { PageRequestSchema, Role } from '@warren/proto/common/v1/common';
import { DeviceSort } from '@warren/proto/devices/v1/devices';
import { v7 as uuidv7 } from 'uuid';
import { DevicesService } from '../src/devices/devices.service.ts';
import { ACTIONS } from '@warren/platform/policy/policy';
import { parseFilter } from '@warren/rules/filter/parse';
import { compileFilter, type FilterUse } from '../src/filters/device.filter.ts';
import { NARROW } from '../src/filters/filter.sql.ts';
import { deleteUnusedKinds, readKinds } from '../src/filters/kinds.sql.ts';
import { byToken, user } from './callers.ts';
import { DevicesWorld } from './devices.world.ts';
import { callEvery } from './every.call.ts';
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
    const member = user(acme, Role.MEMBER);
    for (let i = 0; i < 150; i++) {
      const filter = randomFilter(3);
      for (const [caller, account] of [[world.superAdmin], [member, acme]] as const) {
        const ids = fleet.expected(filter, account);
        expect({ filter, account, ...(await found(filter, caller)) }).toEqual({
          filter,
          account,
          ids,
          total: ids.length,
        });
      }
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

  it('hold API tokens to their devices in every call: another device is neither shown nor changed', async () => {
    const limit = 'os~bookworm cpu>=50';
    const caller = byToken(world.superAdmin, [...ACTIONS], limit);
    const within = fleet.expected(limit);
    const subject = (isWithin: boolean) => {
      const of = [...fleet.devices].find(([id]) => within.includes(id) === isWithin);
      if (!of) throw new Error('expected a device');
      const [id, { serial, account }] = of;
      return { id, slug: id, serial, accountId: account.id };
    };
    const rows = () => world.source.query(`SELECT * FROM devices ORDER BY id`);
    const before: unknown = await rows();
    const outside = subject(false);
    const refused = ['not_found', 'permission_denied'];
    const answers = await callEvery(world.app, caller, outside);
    const told = [...answers].filter(([, answer]) => !refused.includes(answer));
    // Neither its id nor its serial, which is also in its name.
    expect(told.filter(([, answer]) => answer.includes(outside.id) || answer.includes(`"${outside.serial}"`))).toEqual(
      [],
    );
    expect(Object.fromEntries(told)).toEqual({
      ListDevices: '{}',
      GetDeviceCounts: '{}',
      GetDeviceTrend: expect.stringContaining('counts'),
      ListActivity: '{}',
      ListLabels: expect.stringContaining('keys'),
      ListAgentVersions: expect.stringContaining('versions'),
    });
    const { versions } = JSON.parse(answers.get('ListAgentVersions') ?? '') as { versions: { devices: number }[] };
    const inAccount = within.filter((id) => fleet.devices.get(id)?.account.id === outside.accountId);
    expect(versions.reduce((sum, { devices }) => sum + devices, 0)).toBe(inAccount.length);
    expect(await rows()).toEqual(before);
    const inside = await callEvery(world.app, caller, subject(true));
    const opened = [...inside].flatMap(([name, answer]) => (refused.includes(answer) ? [] : [name]));
    expect(opened.filter((name) => !answers.has(name) || refused.includes(answers.get(name) ?? ''))).toEqual([
      'GetDevice',
      'GetDeviceBySerial',
      'GetDevicePresence',
      'ListDeviceEvents',
      'GetDeviceByAddress',
    ]);
  });

  it('are counted', async () => {
    const filter = 'os~bookworm status=connected';
    const counts = await world.app.get(DevicesService).counts(world.superAdmin, { accountId: '', filter });
    expect(counts).toEqual({ total: fleet.expected(filter).length, connected: fleet.expected(filter).length });
  });

  it('follow each change of a device, and forget kinds that none has', async () => {
    const [id = ''] = fleet.expected('cpu>=0 name~pi');
    const before = fleet.devices.get(id);
    const kinds = () => world.source.query<unknown[]>(`SELECT FROM device_kinds WHERE os = 'Plan 9'`);
    const change = (os: string, name: string) =>
      world.source.query(`UPDATE devices SET os = $2, custom_name = $3, total_ram = total_ram * 2 WHERE id = $1`, [
        id,
        os,
        name,
      ]);
    await change('Plan 9', 'Renamed');
    await world.source.query('UPDATE device_facts SET cpu_usage = 33.25 WHERE device_id = $1', [id]);
    expect((await found('os="plan 9" name=renamed cpu=33.25 ram=8GiB')).ids).toEqual([id]);
    await deleteUnusedKinds(world.source);
    expect(await kinds()).toHaveLength(1);
    for (const account of [acme, zebra]) {
      const read = (await readKinds(world.source, [account])).map((kind) => kind.os);
      expect(read.filter((os) => os === 'Plan 9')).toHaveLength(account === before?.account.id ? 1 : 0);
      expect(read.length).toBeGreaterThan(1);
    }
    await world.source.query('UPDATE device_facts SET cpu_usage = $2 WHERE device_id = $1', [id, before?.cpu]);
    await world.source.query('UPDATE devices SET total_ram = total_ram / 4 WHERE id = $1', [id]);
    await change(before?.os ?? '', before?.name ?? '');
    expect((await found('os~"plan 9" or name=renamed or ram=8GiB')).ids).toEqual([]);
    expect((await found('cpu>50 or memory>50')).ids).toEqual(fleet.expected('cpu>50 or memory>50'));
    await until(async () => {
      await deleteUnusedKinds(world.source);
      return (await kinds()).length === 0;
    });
  });

  it('hold for no device of a kind that came after the kinds were read, where a part of them is negated', async () => {
    const parsed = parseFilter('-(os~linux label:nothing-has-it)');
    if (!parsed.ok) throw new Error('The filter is wrong.');
    const countWith = async (kinds?: Promise<[]>) => {
      const use: FilterUse = { accountIds: [acme], values: [acme], ...(kinds && { kinds }) };
      const { sql } = await compileFilter(world.source, parsed.filter, use);
      const text = `SELECT count(*)::int AS n FROM devices d ${NARROW} WHERE d.account_id = $1 AND ${sql}`;
      return (await world.source.query<{ n: number }[]>(text, use.values))[0]?.n;
    };
    expect(await countWith()).toBeGreaterThan(0);
    expect(await countWith(Promise.resolve([]))).toBe(0);
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
