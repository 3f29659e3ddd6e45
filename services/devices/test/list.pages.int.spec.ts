import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { PageRequestSchema, Role, SortOrder } from '@warren/proto/common/v1/common';
import { DeviceSort } from '@warren/proto/devices/v1/devices';
import { v7 as uuidv7 } from 'uuid';
import { DevicesService } from '../src/devices/devices.service.ts';
import { user } from './callers.ts';
import { DevicesWorld } from './devices.world.ts';

const DEVICES = 2_600;
const LIMIT = 50;

/** Each order as SQL over `devices d` and `device_facts f`, ascending, without what settles it. */
const ORDERS: Partial<Record<DeviceSort, string[]>> = {
  [DeviceSort.STATUS]: ['NOT d.connected'],
  [DeviceSort.NAME]: [],
  [DeviceSort.ACCOUNT]: ['d.sort_account', 'd.account_id'],
  [DeviceSort.MODEL]: ['lower(d.model COLLATE "C")'],
  [DeviceSort.ADDRESS]: ['natural_key(d.private_ip) COLLATE "C"'],
  [DeviceSort.LAST_SEEN]: ['NOT d.connected', 'now() - d.status_since'],
  [DeviceSort.CREATED]: ['d.created'],
  [DeviceSort.CPU]: ['COALESCE(f.cpu_usage, -1)'],
  [DeviceSort.MEMORY]: ['COALESCE(f.used_ram::float8 / NULLIF(d.total_ram, 0), -1)'],
  [DeviceSort.TEMPERATURE]: ['COALESCE(f.temperature, -1)'],
};

/** Many are alike in what they are sorted by, and a part has reported nothing. */
const FILL = `
  INSERT INTO devices (id, account_id, account_name, connected, serial, slug, name, private_ip, os, model, agent_version, cpu_cores,
    total_ram, total_disk, created, status_since)
  SELECT gen_random_uuid(), CASE WHEN n % 4 = 0 THEN $2::uuid ELSE $1::uuid END, CASE WHEN n % 4 = 0 THEN 'Zebra' ELSE 'Acme' END,
    n % 3 = 0, 's-' || n, 'page-' || n, 'pi-' || n % 500, '10.0.' || n / 250 || '.' || n % 250, 'Debian', 'Model ' || n % 5, '0.1.' || n % 7, 4, 100, 100,
    now() - (n % 90) * interval '1 day', now() - (n % 60) * interval '1 day'
  FROM generate_series(1, ${DEVICES}) n`;
const FILL_FACTS = `
  INSERT INTO device_facts (device_id, cpu_usage, used_ram, used_disk, uptime_seconds, temperature, reported)
  SELECT id, n % 100, n % 100, n % 100, n, CASE WHEN n % 2 = 0 THEN n % 60 END, now()
  FROM (SELECT id, substr(slug, 6)::int AS n FROM devices WHERE slug LIKE 'page-%') d WHERE n % 10 > 0`;
const FILL_LABELS = `
  INSERT INTO device_labels (device_id, key, value)
  SELECT id, 'site', 's' || n % 3 FROM (SELECT id, substr(slug, 6)::int AS n FROM devices WHERE slug LIKE 'page-%') d WHERE n % 2 = 0
  UNION ALL SELECT id, 'rack', 'r' || n % 2 FROM (SELECT id, substr(slug, 6)::int AS n FROM devices WHERE slug LIKE 'page-%') d WHERE n <= 80`;

describe('pages of the list', () => {
  let world: DevicesWorld;
  const [acme, zebra] = [uuidv7(), uuidv7()];

  beforeAll(async () => {
    const names = new Map([
      [acme, 'Acme'],
      [zebra, 'Zebra'],
    ]);
    world = await DevicesWorld.start(names);
    for (const [id, name] of names)
      await world.source.query(
        'INSERT INTO accounts (id, name, active, operator, as_of) VALUES ($1, $2, true, false, now()) ON CONFLICT DO NOTHING',
        [id, name],
      );
    await world.source.query(FILL, [acme, zebra]);
    await world.source.query(FILL_FACTS);
    await world.source.query(FILL_LABELS);
    for (const table of ['devices', 'narrow_devices', 'device_labels']) await world.source.query(`ANALYZE ${table}`);
  });
  afterAll(() => world.end());

  interface Asked {
    sort: DeviceSort;
    sortLabel?: string;
    filter?: string;
    accountId?: string;
    descending?: boolean;
  }

  async function page({ descending = false, ...asked }: Asked, offset: number, caller = world.superAdmin) {
    const request = { accountId: '', ...asked };
    const order = descending ? SortOrder.DESC : SortOrder.ASC;
    const { devices = [], total } = await world.app.get(DevicesService).list(caller, {
      ...request,
      page: create(PageRequestSchema, { page: offset / LIMIT + 1, limit: LIMIT, order }),
    });
    return { ids: devices.map(({ id = '' }) => id), total };
  }

  async function read(order: string[], where = 'true'): Promise<string[]> {
    const rows = await world.source.query<{ id: string }[]>(
      `SELECT d.id FROM devices d LEFT JOIN device_facts f ON f.device_id = d.id WHERE ${where} ORDER BY ${order.join(', ')}`,
    );
    return rows.map(({ id }) => id);
  }

  /** The first page, one across the bound of what is read from the start, one in the middle, the last, and one behind it. */
  async function expectPages(asked: Asked, expected: readonly string[]): Promise<void> {
    const last = Math.floor((expected.length - 1) / LIMIT) * LIMIT;
    const offsets = [
      0,
      950,
      1_000,
      Math.floor(expected.length / 2 / LIMIT) * LIMIT,
      last - LIMIT,
      last,
      last + LIMIT,
      9_000,
    ];
    for (const offset of new Set(offsets.map((one) => Math.max(0, one))))
      expect({ ...asked, offset, ...(await page(asked, offset)) }).toEqual({
        ...asked,
        offset,
        ids: expected.slice(offset, offset + LIMIT),
        total: expected.length,
      });
  }

  const sorts = Object.keys(ORDERS).map(Number) as DeviceSort[];

  it.each(sorts)('have one order by sort %s from both ends, in both directions', async (sort) => {
    const ascending = await read([...(ORDERS[sort] ?? []), 'd.sort_name', 'd.id']);
    await expectPages({ sort }, ascending);
    await expectPages({ sort, descending: true }, ascending.toReversed());
  });

  it.each(sorts)('keep to the account by sort %s', async (sort) => {
    const ofAccount = `d.account_id = '${acme}'`;
    await expectPages(
      { sort, accountId: acme },
      await read([...(ORDERS[sort] ?? []), 'd.sort_name', 'd.id'], ofAccount),
    );
  });

  it.each([
    ['many', 'model~"model"', 'true'],
    ['some', 'cpu<30 -model="Model 1"', `f.cpu_usage < 30 AND d.model <> 'Model 1'`],
    ['few', 'cpu=7', 'f.cpu_usage = 7'],
    ['a name', 'name~pi-49', `d.name LIKE 'pi-49%'`],
    ['a search', 'serial~s-12 or address~10.0.3.', `d.serial LIKE 's-12%' OR d.private_ip LIKE '10.0.3.%'`],
    ['a search and usage', 'serial~s- cpu>=50 model="Model 2"', `f.cpu_usage >= 50 AND d.model = 'Model 2'`],
    [
      'a label',
      '-label:rack site!=s1',
      `d.id NOT IN (SELECT device_id FROM device_labels WHERE key = 'rack' OR value = 's1')`,
    ],
    [
      'any label',
      'label:rack or cpu=7',
      `f.cpu_usage = 7 OR d.id IN (SELECT device_id FROM device_labels WHERE key = 'rack')`,
    ],
    ['none', 'cpu>100', 'false'],
  ])('of a filter that finds %s', async (_what, filter, where) => {
    for (const sort of [DeviceSort.NAME, DeviceSort.STATUS, DeviceSort.MODEL, DeviceSort.TEMPERATURE]) {
      const ascending = await read([...(ORDERS[sort] ?? []), 'd.sort_name', 'd.id'], where);
      await expectPages({ sort, filter }, ascending);
      await expectPages({ sort, filter, descending: true }, ascending.toReversed());
    }
    const ofAccount = await read(['d.sort_name', 'd.id'], `(${where}) AND d.account_id = '${zebra}'`);
    await expectPages({ sort: DeviceSort.NAME, filter, accountId: zebra }, ofAccount);
  });

  it.each([
    ['many', 'site'],
    ['few', 'rack'],
    ['none', 'zone'],
  ])('by a label of %s', async (_what, sortLabel) => {
    const value = `(SELECT l.value FROM device_labels l WHERE l.device_id = d.id AND l.key = '${sortLabel}')`;
    const orders = (direction: string) => [
      `${value} ${direction} NULLS LAST`,
      `CASE WHEN ${value} IS NULL THEN d.sort_name END ${direction}`,
      `d.id ${direction}`,
    ];
    const sort = DeviceSort.LABEL;
    for (const descending of [false, true]) {
      const order = orders(descending ? 'DESC' : 'ASC');
      await expectPages({ sort, sortLabel, descending }, await read(order));
      await expectPages(
        { sort, sortLabel, descending, accountId: acme },
        await read(order, `d.account_id = '${acme}'`),
      );
      for (const [filter, where] of [
        ['status=connected', 'd.connected'],
        ['cpu=7', 'f.cpu_usage = 7'],
      ] as const)
        await expectPages({ sort, sortLabel, descending, filter }, await read(order, where));
    }
  });

  it("have nothing of another account's", async () => {
    const member = user(zebra, Role.MEMBER);
    const ids = new Set(await read(['d.id'], `d.account_id = '${zebra}'`));
    for (const filter of ['', 'status=connected or -status=connected', 'label:site or -label:site'])
      for (const offset of [0, 500, 600]) {
        const found = await page({ sort: DeviceSort.NAME, filter }, offset, member);
        expect(found.total).toBe(ids.size);
        expect(found.ids.every((id) => ids.has(id))).toBe(true);
      }
  });
});
