import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { createTestDatabase, type TestDatabase } from '@warren/infra/test-database';
import { migrate } from '@warren/platform/database/migrate';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import type { Facts } from '@warren/proto/agent/v1/agent';
import { DeviceSort } from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { databaseOptions } from '../src/database.ts';
import { DevicesService } from '../src/devices/devices.service.ts';
import { checkFacts } from '../src/facts/facts.ts';
import { writeFacts } from '../src/facts/facts.sql.ts';
import { FactsService } from '../src/facts/facts.service.ts';
import { AddFacts1796072400000 } from '../src/migrations/20261130-gather-facts.ts';
import { user } from './callers.ts';
import { enrolDevice, facts } from './devices.process.ts';
import { DevicesWorld } from './devices.world.ts';

/** What 0.1.0 writes of a report. */
const FORMER_REPORT = [
  `UPDATE devices SET (name, cpu_cores, total_ram, total_disk, os, kernel, arch, model, agent_version)
     = ('pi-1', 8, 8000, 64000, 'Debian 13', '6.12', 'arm64', 'Pi 5', '0.1.0') WHERE id = $1`,
  `INSERT INTO device_facts AS kept (device_id, cpu_usage, used_ram, used_disk, uptime_seconds, reported)
   VALUES ($1, 7.5, 900, 800, 70, now())
   ON CONFLICT (device_id) DO UPDATE SET (cpu_usage, used_ram, used_disk, uptime_seconds, reported)
     = (excluded.cpu_usage, excluded.used_ram, excluded.used_disk, excluded.uptime_seconds, excluded.reported)`,
];
const FORMER_FACTS: Partial<Facts> = {
  hostname: 'pi-1',
  cpuCores: 8,
  cpuUsage: 7.5,
  totalRam: 8_000n,
  usedRam: 900n,
  totalDisk: 64_000n,
  usedDisk: 800n,
  os: 'Debian 13',
  kernel: '6.12',
  arch: 'arm64',
  model: 'Pi 5',
  uptimeSeconds: 70n,
};

describe('facts without columns', () => {
  let world: DevicesWorld;
  let app: INestApplicationContext;
  let source: DataSource;
  const acme = uuidv7();
  const [old, silent] = [uuidv7(), uuidv7()];
  const superAdmin = user(acme, Role.SUPER_ADMIN, true);

  beforeAll(async () => {
    world = await DevicesWorld.start(new Map([[acme, 'Acme']]), upgraded);
    ({ app, source } = world);
  });
  afterAll(() => world.end());

  /** A database that 0.1.0 has filled. */
  async function upgraded(): Promise<TestDatabase> {
    const database = await createTestDatabase('devices');
    const options = databaseOptions({ DATABASE_URL: database.url, DATABASE_POOL: 2 });
    const before = options.migrations.slice(0, options.migrations.indexOf(AddFacts1796072400000 as never));
    await migrate({ ...options, migrations: before });
    const former = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    await fill(former).finally(() => former.destroy());
    await migrate(options);
    return database;
  }

  async function fill(former: DataSource): Promise<void> {
    await former.query(
      `INSERT INTO accounts (id, name, active, operator, as_of) VALUES ($1, 'Acme', true, false, 'now')`,
      [acme],
    );
    for (const id of [old, silent])
      await former.query(
        `INSERT INTO devices (id, account_id, account_name, serial, slug, name) VALUES ($1, $2, 'Acme', 's', $3, 'pi')`,
        [id, acme, id],
      );
    for (const statement of FORMER_REPORT) await former.query(statement, [old]);
  }

  const shown = async (id: string) => (await app.get(DevicesService).get(superAdmin, { id })).device;
  const found = async (filter: string) => {
    const request = { accountId: '', sort: DeviceSort.NAME, filter };
    return (await app.get(DevicesService).list(superAdmin, request)).devices?.map(({ id = '' }) => id) ?? [];
  };
  const stored = async (id: string) =>
    (
      await source.query('SELECT facts, facts_at = reported AS current FROM device_facts WHERE device_id = $1', [id])
    )[0];
  const report = (deviceId: string, init: Partial<Facts>) => {
    const reports = [{ deviceId, facts: facts(init), publicIp: '', serial: '' }];
    return app.get(FactsService).report(serviceCaller('tunnels'), { reports });
  };

  it('are filled from the columns of 0.1.0', async () => {
    expect(await stored(old)).toMatchObject({ current: true, facts: { total_ram: 8_000, os: 'Debian 13' } });
    expect((await stored(old)).facts).not.toHaveProperty('temperature');
    expect(await shown(old)).toMatchObject({ facts: FORMER_FACTS });
    expect(await found('os="debian 13" cpu=7.5 memory=11.25 uptime>=70s')).toEqual([old]);
  });

  it('are empty for a device that never reported', async () => {
    const device = await shown(silent);
    expect(device).toMatchObject({ facts: { hostname: 'pi', os: '', cpuCores: 0, totalRam: 0n, uptimeSeconds: 0n } });
    expect(device).not.toHaveProperty('factsAt');
    expect(await found('os="" memory!=11.25 name=pi')).toEqual([silent]);
  });

  it('are those that a replica of 0.1.0 wrote last, and those reported later', async () => {
    const id = await enrolDevice(app, acme);
    await report(id, { temperature: 48, kernel: '6.6.31' });
    expect(await shown(id)).toMatchObject({ facts: { temperature: 48, kernel: '6.6.31', cpuCores: 4 } });
    for (const statement of FORMER_REPORT) await source.query(statement, [id]);
    expect(await stored(id)).toMatchObject({ current: false });
    expect(await shown(id)).toMatchObject({ facts: FORMER_FACTS });
    expect((await found('kernel=6.12 cpu=7.5')).sort()).toEqual([old, id].sort());
    await report(id, { kernel: '6.6.32' });
    expect(await found('kernel=6.6.32')).toEqual([id]);
    expect(await shown(id)).toMatchObject({ facts: { kernel: '6.6.32', cpuCores: 4 } });
  });

  it('are in the columns that 0.1.0 reads as well', async () => {
    const id = await enrolDevice(app, acme);
    await report(id, { os: 'Debian 14', cpuUsage: 55, temperature: -2, throttled: 1 });
    const [row] = await source.query(
      `SELECT d.os, d.total_ram, f.cpu_usage, f.used_ram, f.temperature, f.throttled
       FROM devices d JOIN device_facts f ON f.device_id = d.id WHERE d.id = $1`,
      [id],
    );
    expect(row).toEqual({
      os: 'Debian 14',
      total_ram: '4000',
      cpu_usage: 55,
      used_ram: '1000',
      temperature: -2,
      throttled: 1,
    });
  });

  it('are new where more than the use changed', async () => {
    const deviceId = await enrolDevice(app, acme);
    const write = (init: Partial<Facts>) => writeFacts(source.manager, [{ deviceId, facts: checkFacts(facts(init)) }]);
    expect(await write({})).toEqual(new Set());
    expect(await write({ cpuUsage: 1, usedRam: 1n, usedDisk: 1n, uptimeSeconds: 1n, temperature: 1 })).toEqual(
      new Set(),
    );
    expect(await write({ model: 'Pi 5' })).toEqual(new Set([deviceId]));
  });

  it('stay in the row, the largest too', async () => {
    const id = await enrolDevice(app, acme);
    const most = BigInt(Number.MAX_SAFE_INTEGER);
    await report(id, {
      os: '漢'.repeat(128),
      kernel: '漢'.repeat(128),
      model: '漢'.repeat(128),
      arch: '漢'.repeat(32),
      totalRam: most,
      usedRam: most,
      totalDisk: most,
      usedDisk: most,
      cpuUsage: 100 / 3,
      temperature: 200,
      throttled: 0xf_000f,
      uptimeSeconds: 31_557_600_000n,
      fullestDisk: '漢'.repeat(64),
      fullestDiskUsage: 100 / 3,
      load: 1_000_000 / 3,
      clockOffset: -(2 ** 31),
    });
    const [{ bytes }] = await source.query(
      'SELECT pg_column_size(f.*) AS bytes FROM device_facts f WHERE device_id = $1',
      [id],
    );
    // PostgreSQL moves values out of rows of more than 2,032 bytes.
    expect(bytes).toBeLessThan(2_032);
    expect(await shown(id)).toMatchObject({ facts: { model: '漢'.repeat(128), usedDisk: most } });
  });
});
