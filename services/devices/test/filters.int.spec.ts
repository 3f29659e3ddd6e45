import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { PageRequestSchema, Role } from '@warren/proto/common/v1/common';
import { DeviceSort } from '@warren/proto/devices/v1/devices';
import { matches, type FilterDevice } from '@warren/rules/filter/match';
import { parseFilter } from '@warren/rules/filter/parse';
import { v7 as uuidv7 } from 'uuid';
import { DevicesService } from '../src/devices/devices.service.ts';
import { user } from './callers.ts';
import { DevicesWorld } from './devices.world.ts';

const DEVICES = 240;
const HOUR = 3_600_000;

/** The same numbers in each run (mulberry32). */
function randomOf(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomOf(11);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

const TERMS = [
  'label:site',
  'site=north',
  'site!=north',
  'site~OR',
  'label.ring!~can',
  'status=connected',
  'status!=connected',
  'name~pi-1',
  'name=PI-7',
  'account=acme',
  'account~ze',
  'serial~s-1',
  'address~10.0.1',
  'os~bookworm',
  'os=""',
  'model~"pi 4"',
  'model!="Raspberry Pi 5"',
  'arch=aarch64',
  'agent<0.2.0',
  'agent>=0.1.10',
  'agent!=0.2.0-rc.1',
  'agent~rc',
  'last_seen<2h',
  'last_seen=never',
  'last_seen!=never',
  'last_seen>1d',
  'last_seen>=0s',
  'last_seen<0s',
  'last_seen<2020-01-01',
  'last_seen>=2020-01-01',
  'last_seen>=2999-01-01',
  'last_seen<2999-01-01',
  'created<2h',
  'created>=2026-01-01',
  'cores>=4',
  'cores!=4',
  'cpu>50',
  'cpu<=50',
  'memory>50',
  'ram>=4GiB',
  'disk>=90',
  'disk_size<40GB',
  'temperature>60',
  'temperature!=50',
  'uptime>3h',
  'throttled=yes',
  'throttled!=no',
  'console=off',
  'failed_update=yes',
  'failed_update!=yes',
  'failed_update=no',
  'web=on',
  'pi',
  '"10.0"',
  '100%_',
];

function randomFilter(depth: number): string {
  const form = depth === 0 ? 'term' : pick(['term', 'not', 'and', 'or'] as const);
  if (form === 'term') return pick(TERMS);
  if (form === 'not') return `-(${randomFilter(depth - 1)})`;
  return `(${randomFilter(depth - 1)}) ${form === 'and' ? '' : 'or'} (${randomFilter(depth - 1)})`;
}

describe('filters of the list', () => {
  let world: DevicesWorld;
  const acme = uuidv7();
  const zebra = uuidv7();
  const rollout = uuidv7();
  const devices = new Map<string, FilterDevice>();

  beforeAll(async () => {
    world = await DevicesWorld.start(
      new Map([
        [acme, 'Acme'],
        [zebra, 'Zebra'],
      ]),
    );
    await world.source.query(
      'INSERT INTO accounts (id, name, active, operator, as_of) VALUES ($1, $2, true, false, now()), ($3, $4, true, false, now()) ON CONFLICT DO NOTHING',
      [acme, 'Acme', zebra, 'Zebra'],
    );
    await world.source.query(
      `INSERT INTO rollouts (id, version, share, state, created_by) VALUES ($1, '0.2.0', 100, 'done', 'x')`,
      [rollout],
    );
    const now = Date.now();
    for (let i = 0; i < DEVICES; i++) await insert(i, now);
    await world.source.query(
      `INSERT INTO rollout_devices (rollout_id, device_id, state, why, from_version, since)
       SELECT $1, id, 'failed', '', '0.1.0', now() FROM unnest($2::uuid[]) AS id`,
      [rollout, [...devices].flatMap(([id, { updateFailed }]) => (updateFailed ? [id] : []))],
    );
  });
  afterAll(() => world.end());

  async function insert(i: number, now: number): Promise<void> {
    const [id, account] = [uuidv7(), pick([acme, zebra])];
    const reports = random() < 0.85;
    const connected = reports && random() < 0.5;
    const lastSeen = now - pick([0.5, 5, 60]) * HOUR;
    const device: FilterDevice = {
      labels: pick<Record<string, string>>([
        {},
        { site: 'north' },
        { site: 'south', ring: 'canary' },
        { ring: 'Canary' },
      ]),
      connected,
      name: pick([`pi-${i}`, `PI-${i}`, `Lobby 100%_ ${i}`]),
      hostname: `host-${i}`,
      account: { id: account, name: account === acme ? 'Acme' : 'Zebra' },
      serial: `S-${i}`,
      addresses: [`10.0.${i % 3}.${i}`, '81.2.3.4'],
      os: reports ? pick(['Debian GNU/Linux 12 (bookworm)', 'Ubuntu 24.04']) : '',
      kernel: '',
      arch: reports ? pick(['aarch64', 'x86_64']) : '',
      model: reports ? pick(['Raspberry Pi 4', 'Raspberry Pi 5', 'NUC']) : '',
      agentVersion: reports ? pick(['0.1.0', '0.1.9', '0.1.10', '0.2.0-rc.1', '0.2.0']) : '',
      lastSeen: connected ? now : lastSeen,
      neverSeen: !reports,
      created: now - pick([1, 3, 9_000]) * HOUR,
      console: random() < 0.5,
      web: random() < 0.5,
      updateFailed: random() < 0.2,
      ...(reports
        ? {
            cores: pick([1, 4, 8]),
            cpu: pick([0, 50, 91.5]),
            ram: 4 * 2 ** 30,
            memory: pick([0, 50, 75]),
            diskSize: 32e9,
            disk: pick([10, 90, 100]),
            uptimeSeconds: pick([60, 4 * 3_600]),
          }
        : {}),
      ...(reports && random() < 0.7 ? { temperature: pick([50, 61]), throttled: random() < 0.5 } : {}),
    };
    devices.set(id, device);
    await store(id, device, lastSeen);
  }

  async function store(id: string, device: FilterDevice, since: number): Promise<void> {
    const { hostname, name, ram = 0, diskSize = 0, cores = 0 } = device;
    await world.source.query(
      `INSERT INTO devices (id, account_id, account_name, serial, slug, name, custom_name, connected, status_since, created, private_ip,
         public_ip, os, arch, model, agent_version, cpu_cores, total_ram, total_disk, ssh_enabled, http_enabled, connection_epoch)
       VALUES ($1::uuid, $2, $3, $4, $1::uuid::text, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
      [
        id,
        device.account.id,
        device.account.name,
        device.serial,
        hostname,
        name,
        device.connected,
        new Date(since),
      ].concat(
        [
          new Date(device.created),
          ...device.addresses,
          device.os,
          device.arch,
          device.model,
          device.agentVersion,
        ] as never[],
        [cores, ram, diskSize, device.console, device.web, device.neverSeen ? 0 : 7] as never[],
      ),
    );
    if (cores > 0)
      await world.source.query(
        `INSERT INTO device_facts (device_id, cpu_usage, used_ram, used_disk, uptime_seconds, temperature, throttled, reported)
         VALUES ($1, $2, $3, $4, $5, $6, $7, to_timestamp(0))`,
        [
          id,
          device.cpu,
          ((device.memory ?? 0) / 100) * ram,
          ((device.disk ?? 0) / 100) * diskSize,
          device.uptimeSeconds,
          device.temperature ?? null,
          device.throttled === undefined ? null : device.throttled ? 0x1_0004 : 0x1_0000,
        ],
      );
    await world.source.query(
      'INSERT INTO device_labels (device_id, key, value) SELECT $1::uuid, key, value FROM jsonb_each_text($2)',
      [id, JSON.stringify(device.labels)],
    );
  }

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

  function expected(filter: string, account?: string): string[] {
    const parsed = parseFilter(filter);
    if (!parsed.ok) throw new Error(`${filter}: ${parsed.errors[0]?.message}`);
    return [...devices]
      .filter(([, device]) => account === undefined || device.account.id === account)
      .filter(([, device]) => matches(parsed.filter, device, Date.now()))
      .map(([id]) => id)
      .sort();
  }

  it.each(TERMS)('%s finds what it holds for', async (term) => {
    expect(await found(term)).toEqual({ ids: expected(term), total: expected(term).length });
  });

  it('find what they hold for, whatever they combine', async () => {
    for (let i = 0; i < 150; i++) {
      const filter = randomFilter(3);
      expect({ filter, ...(await found(filter)) }).toEqual({
        filter,
        ids: expected(filter),
        total: expected(filter).length,
      });
    }
  }, 30_000);

  it("find nothing of another account's", async () => {
    const member = user(acme, Role.MEMBER);
    for (const filter of ['pi', 'status=connected or -status=connected', `account=${zebra}`])
      expect((await found(filter, member)).ids).toEqual(expected(filter, acme));
  });

  it('are counted', async () => {
    const filter = 'os~bookworm status=connected';
    const counts = await world.app.get(DevicesService).counts(world.superAdmin, { accountId: '', filter });
    expect(counts).toEqual({ total: expected(filter).length, connected: expected(filter).length });
  });

  it('are refused at the place that is wrong', async () => {
    await expect(found('os~bookworm cpu>')).rejects.toMatchObject({
      code: 'invalid_argument',
      problems: [{ field: 'filter', message: 'Expected a value after “cpu>”. (at character 16)' }],
    });
  });

  it.each(Object.values(DeviceSort).filter((sort) => typeof sort === 'number'))(
    'keep one order by sort %s, descending in reverse',
    async (sort) => {
      const list = async (order: number) => {
        const page = create(PageRequestSchema, { limit: 200, order });
        const request = { accountId: acme, sort, filter: '', page };
        return (await world.app.get(DevicesService).list(world.superAdmin, request)).devices?.map(({ id }) => id);
      };
      const ascending = await list(1);
      expect(ascending?.length).toBeGreaterThan(50);
      expect(await list(2)).toEqual(ascending?.toReversed());
    },
  );
});
