import { matches, type FilterDevice } from '@warren/rules/filter/match';
import { parseFilter } from '@warren/rules/filter/parse';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

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

export const random = randomOf(11);
export const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

/** A term of each kind. */
export const TERMS = [
  'label:site',
  'site=north',
  'site=south',
  'site!=north',
  'ring=canary',
  'ring=Canary',
  'site~OR',
  'label.ring!~can',
  'status=connected',
  'status!=connected',
  'name~pi-1',
  'name=PI-7',
  'account=acme',
  'account~ze',
  'serial~s-1',
  'id~A1',
  'id!=01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f',
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
  'load>2',
  'load!=0.5',
  'clock>1m',
  'clock<=60s',
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

/** A filter of random terms, the same in each run. */
export function randomFilter(depth: number): string {
  const form = depth === 0 ? 'term' : pick(['term', 'not', 'and', 'or'] as const);
  if (form === 'term') return pick(TERMS);
  if (form === 'not') return `-(${randomFilter(depth - 1)})`;
  return `(${randomFilter(depth - 1)}) ${form === 'and' ? '' : 'or'} (${randomFilter(depth - 1)})`;
}

/** Random devices of two accounts, in the database and in memory. */
export class RandomFleet {
  readonly devices = new Map<string, FilterDevice>();
  private readonly accounts: string[];

  private constructor(
    private readonly source: DataSource,
    private readonly names: ReadonlyMap<string, string>,
  ) {
    this.accounts = [...names.keys()];
  }

  /** @param names of accounts by id */
  static async store(source: DataSource, names: ReadonlyMap<string, string>): Promise<RandomFleet> {
    const fleet = new RandomFleet(source, names);
    for (const [id, name] of names)
      await source.query(
        'INSERT INTO accounts (id, name, active, operator, as_of) VALUES ($1, $2, true, false, now()) ON CONFLICT DO NOTHING',
        [id, name],
      );
    const now = Date.now();
    for (let i = 0; i < DEVICES; i++) await fleet.insert(i, now);
    await fleet.storeFailedUpdates();
    return fleet;
  }

  /** The ids of the devices that a filter holds for, in memory, in order. */
  expected(filter: string, account?: string): string[] {
    const parsed = parseFilter(filter);
    if (!parsed.ok) throw new Error(`${filter}: ${parsed.errors[0]?.message}`);
    return [...this.devices]
      .filter(([, device]) => account === undefined || device.account.id === account)
      .filter(([, device]) => matches(parsed.filter, device, Date.now()))
      .map(([id]) => id)
      .sort();
  }

  private async insert(i: number, now: number): Promise<void> {
    const [id, account] = [uuidv7(), pick(this.accounts)];
    const reports = random() < 0.85;
    const connected = reports && random() < 0.5;
    const lastSeen = now - pick([0.5, 5, 60]) * HOUR;
    const device: FilterDevice = {
      id,
      labels: pick<Record<string, string>>([
        {},
        { site: 'north' },
        { site: 'south', ring: 'canary' },
        { ring: 'Canary' },
      ]),
      connected,
      name: pick([`pi-${i}`, `PI-${i}`, `Lobby 100%_ ${i}`]),
      hostname: `host-${i}`,
      account: { id: account, name: this.names.get(account) ?? '' },
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
      ...(reports && random() < 0.6
        ? { disk: pick([20, 90, 97.5]), load: pick([0.5, 2, 8]), clockOffset: pick([-3_600, 0, 60, 61]) }
        : {}),
      ...(reports && random() < 0.7 ? { temperature: pick([50, 61]), throttled: random() < 0.5 } : {}),
    };
    this.devices.set(id, device);
    await this.store(id, device, lastSeen);
  }

  private async storeFailedUpdates(): Promise<void> {
    const rollout = uuidv7();
    await this.source.query(
      `INSERT INTO rollouts (id, version, share, state, created_by) VALUES ($1, '0.2.0', 100, 'done', 'x')`,
      [rollout],
    );
    await this.source.query(
      `INSERT INTO rollout_devices (rollout_id, device_id, state, why, from_version, since)
       SELECT $1, id, 'failed', '', '0.1.0', now() FROM unnest($2::uuid[]) AS id`,
      [rollout, [...this.devices].flatMap(([id, { updateFailed }]) => (updateFailed ? [id] : []))],
    );
  }

  private async store(id: string, device: FilterDevice, since: number): Promise<void> {
    const { hostname, name, ram = 0, diskSize = 0, cores = 0 } = device;
    await this.source.query(
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
    const { load, clockOffset } = device;
    // An agent that tells of its other disks; its root is emptier than the fullest.
    const hasLatest = load !== undefined;
    const root = hasLatest ? 5 : (device.disk ?? 0);
    if (cores > 0)
      await this.source.query(
        `INSERT INTO device_facts (device_id, cpu_usage, used_ram, used_disk, uptime_seconds, temperature, throttled, fullest_disk_usage,
           load, clock_offset, reported, facts_at, facts) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_timestamp(0), to_timestamp(0), '{}')`,
        [
          id,
          device.cpu,
          ((device.memory ?? 0) / 100) * ram,
          (root / 100) * diskSize,
          device.uptimeSeconds,
          device.temperature ?? null,
          device.throttled === undefined ? null : device.throttled ? 0x1_0004 : 0x1_0000,
          hasLatest ? device.disk : null,
          load ?? null,
          clockOffset ?? null,
        ],
      );
    await this.source.query(
      'INSERT INTO device_labels (device_id, key, value) SELECT $1::uuid, key, value FROM jsonb_each_text($2)',
      [id, JSON.stringify(device.labels)],
    );
  }
}
