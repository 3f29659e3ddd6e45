import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import type { Caller } from '@warren/platform/rpc/caller';
import { PageRequestSchema, Role, SortOrder } from '@warren/proto/common/v1/common';
import { DeviceSort } from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DevicesService } from '../src/devices/devices.service.ts';
import { user } from './callers.ts';
import { devicesDatabase, enrolDevice, facts, startAccounts, startDevices } from './devices.process.ts';

describe('the inventory', () => {
  let database: TestDatabase;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let tenancy: INestApplicationContext;
  let app: INestApplicationContext;
  const acme = uuidv7();
  const zebra = uuidv7();
  const operator = user(uuidv7(), Role.MEMBER, true);
  const member = user(acme, Role.MEMBER);
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    [database, nats] = await Promise.all([devicesDatabase(), startNats()]);
    tenancy = await startAccounts(
      nats.url,
      new Map([
        [acme, 'acme 10'],
        [zebra, 'Acme 9'],
      ]),
    );
    app = await startDevices({ database: database.url, nats: nats.url, redis: process.env['TEST_REDIS_URL'] ?? '' });
    for (const [hostname, accountId, privateIp] of [
      ['pi-10', acme, '10.0.0.1'],
      ['PI-9', acme, '10.0.0.2'],
      ['kiosk', acme, '10.0.0.3'],
      ['edge', zebra, 'fe80::1'],
      ['zz', zebra, '10.0.0.30'],
    ] as const)
      ids[hostname] = await enrolDevice(app, accountId, {
        serial: `SN-${hostname}`,
        facts: facts({ hostname, privateIp }),
      });
    const source = app.get(DataSource);
    await source.query(`UPDATE devices SET connected = true WHERE name IN ('pi-10', 'zz')`);
    await source.query(`UPDATE devices SET custom_name = 'Lobby 100%' WHERE name = 'kiosk'`);
  });

  afterAll(async () => {
    await app.close();
    await tenancy.close();
    await nats.stop();
    await database.drop();
  });

  const list = (
    caller: Caller,
    request: { accountId?: string; sort?: DeviceSort; sortLabel?: string; filter?: string } = {},
    page: { page?: number; limit?: number; search?: string; order?: SortOrder } = {},
  ) =>
    app.get(DevicesService).list(caller, {
      accountId: request.accountId ?? '',
      sort: request.sort ?? DeviceSort.UNSPECIFIED,
      sortLabel: request.sortLabel ?? '',
      filter: request.filter ?? '',
      page: create(PageRequestSchema, page),
    });
  const names = async (answer: ReturnType<typeof list>) => (await answer).devices?.map(({ name }) => name);

  it('comes with the connected first, then by name as people count', async () => {
    expect(await names(list(operator))).toEqual(['pi-10', 'zz', 'edge', 'kiosk', 'PI-9']);
    expect(await names(list(member))).toEqual(['pi-10', 'kiosk', 'PI-9']);
  });

  it.each([
    [DeviceSort.STATUS, ['pi-10', 'zz', 'edge', 'kiosk', 'PI-9']],
    [DeviceSort.NAME, ['edge', 'kiosk', 'PI-9', 'pi-10', 'zz']],
    [DeviceSort.ACCOUNT, ['edge', 'zz', 'kiosk', 'PI-9', 'pi-10']],
  ])('is sorted over all rows (sort %s), and turned round', async (sort, expected) => {
    expect(await names(list(operator, { sort }))).toEqual(expected);
    const pages = [1, 2, 3].map((page) => names(list(operator, { sort }, { page, limit: 2 })));
    expect((await Promise.all(pages)).flat()).toEqual(expected);
    expect(await names(list(operator, { sort }, { order: SortOrder.DESC }))).toEqual(expected.toReversed());
  });

  describe('by a label', () => {
    const sort = DeviceSort.LABEL;
    const bySite = { sort, sortLabel: 'site' };
    const pagesOf = async (request: typeof bySite & { filter?: string; accountId?: string }, order?: SortOrder) => {
      const turned = order ? { order } : {};
      const ask = (page: number) => names(list(operator, request, { ...turned, page, limit: 2 }));
      return (await Promise.all([1, 2, 3].map(ask))).flat();
    };

    beforeAll(async () => {
      for (const [name, key, value] of [
        ['kiosk', 'site', 'a'],
        ['zz', 'site', ''],
        ['PI-9', 'site', 'a'],
        ['edge', 'ring', 'a'],
      ] as const)
        await app.get(DataSource).query('INSERT INTO device_labels VALUES ($1, $2, $3)', [ids[name], key, value]);
    });

    it.each(['', 'label:site or -label:site'])(
      'has devices with it before those without, by name, in both directions (filter %j)',
      async (filter) => {
        expect(await pagesOf({ ...bySite, filter })).toEqual(['zz', 'PI-9', 'kiosk', 'edge', 'pi-10']);
        expect(await pagesOf({ ...bySite, filter }, SortOrder.DESC)).toEqual(['kiosk', 'PI-9', 'zz', 'pi-10', 'edge']);
      },
    );

    it('keeps to the account, and counts it', async () => {
      expect(await pagesOf({ ...bySite, accountId: acme })).toEqual(['PI-9', 'kiosk', 'pi-10']);
      expect(await names(list(member, bySite))).toEqual(['PI-9', 'kiosk', 'pi-10']);
      expect((await list(member, bySite, { page: 9, limit: 2 })).total).toBe(3);
      expect(await names(list(operator, { sort, sortLabel: 'none' }, { limit: 2 }))).toEqual(['edge', 'kiosk']);
    });

    it('refuses a key that can be none', async () => {
      await expect(list(operator, { sort, sortLabel: 'a b' })).rejects.toMatchObject({ code: 'invalid_argument' });
    });
  });

  it.each([
    ['name', 'KIOS', ['kiosk']],
    ['custom name, signs taken as they are', '0%', ['kiosk']],
    ['serial', 'sn-ed', ['edge']],
    ['private address', '10.0.0.3', ['zz', 'kiosk']],
    ['public address', '81.2.3.4', ['pi-10', 'zz', 'edge', 'kiosk', 'PI-9']],
    ['nothing', 'nowhere', []],
    ['one character, which does not count', 'k', ['pi-10', 'zz', 'edge', 'kiosk', 'PI-9']],
    ['no two fields at once', 'edgesn', []],
  ])('is searched by %s', async (_what, search, expected) => {
    const answer = await list(operator, {}, { search });
    expect(answer.devices?.map(({ name }) => name)).toEqual(expected);
    expect(answer.total).toBe(expected.length);
    expect((await list(operator, {}, { search, limit: 1, page: 9 })).total).toBe(expected.length);
  });

  it("is not another account's: by list, search, count, id or serial", async () => {
    const devices = app.get(DevicesService);
    const notFound = { code: 'not_found' };
    await expect(list(member, { accountId: zebra })).rejects.toMatchObject(notFound);
    expect(await list(member, {}, { search: 'edge' })).toMatchObject({ devices: [], total: 0 });
    expect(await devices.counts(member, { accountId: '' })).toEqual({ total: 3, connected: 1 });
    await expect(devices.counts(member, { accountId: zebra })).rejects.toMatchObject(notFound);
    await expect(devices.get(member, { id: ids['edge'] ?? '' })).rejects.toMatchObject(notFound);
    await expect(devices.getBySerial(member, { serial: 'SN-edge' })).rejects.toMatchObject(notFound);
    expect(await devices.get(member, { id: ids['kiosk'] ?? '' })).toMatchObject({
      device: { customName: 'Lobby 100%' },
    });
    expect(await devices.getBySerial(member, { serial: 'SN-kiosk' })).toMatchObject({ device: { name: 'kiosk' } });
  });

  it('is all of it for operators, or the account that they choose', async () => {
    const devices = app.get(DevicesService);
    expect(await devices.counts(operator, { accountId: '' })).toEqual({ total: 5, connected: 2 });
    expect(await devices.counts(operator, { accountId: zebra })).toEqual({ total: 2, connected: 1 });
    const chosen = { accountId: zebra, sort: DeviceSort.ACCOUNT };
    expect(await names(list(operator, chosen, { order: SortOrder.DESC }))).toEqual(['zz', 'edge']);
    expect(await devices.getBySerial(operator, { serial: 'SN-edge' })).toMatchObject({ device: { id: ids['edge'] } });
  });

  it('says not found to ids and serials that can be none', async () => {
    const devices = app.get(DevicesService);
    for (const id of ['', 'x', uuidv7()])
      await expect(devices.get(operator, { id })).rejects.toMatchObject({ code: 'not_found' });
    for (const serial of ['', 'a\0b'])
      await expect(devices.getBySerial(operator, { serial })).rejects.toMatchObject({ code: 'not_found' });
    await expect(list(operator, { accountId: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  });
});
