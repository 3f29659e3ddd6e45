import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { DeviceSort } from '@warren/proto/devices/v1/devices';
import { Role } from '@warren/proto/common/v1/common';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DevicesService } from '../src/devices/devices.service.ts';
import { FactsService } from '../src/facts/facts.service.ts';
import { user } from './callers.ts';
import { enrolDevice, facts } from './devices.process.ts';
import { DevicesWorld } from './devices.world.ts';

const tunnels = serviceCaller('tunnels');

describe('facts', () => {
  let world: DevicesWorld;
  let app: INestApplicationContext;
  let source: DataSource;
  const acme = uuidv7();
  const superAdmin = user(uuidv7(), Role.SUPER_ADMIN, true);

  const reportOf = (deviceId: string, init = {}, publicIp = '') => ({
    deviceId,
    facts: facts(init),
    publicIp,
    serial: '',
  });
  const report = (deviceId: string, init = {}, publicIp = '') =>
    app.get(FactsService).report(tunnels, { reports: [reportOf(deviceId, init, publicIp)] });
  const changes = async (deviceId: string) => {
    const rows = await source.query<{ payload: Buffer }[]>('SELECT payload FROM told ORDER BY id');
    return rows.filter(({ payload }) => payload.includes(deviceId)).length;
  };

  beforeAll(async () => {
    world = await DevicesWorld.start(new Map([[acme, 'Acme']]));
    ({ app, source } = world);
    // Keeps what passes through the outbox, to count it.
    await source.query('CREATE TABLE told (LIKE outbox)');
    await source.query('CREATE RULE keep AS ON INSERT TO outbox DO ALSO INSERT INTO told VALUES (new.*)');
  });
  afterAll(() => world.end());

  it('emit an event when its identity changes, not its use', async () => {
    const id = await enrolDevice(app, acme);
    const before = await changes(id);
    await report(id, { cpuUsage: 99, usedRam: 3_999n, uptimeSeconds: 61n });
    expect(await changes(id)).toBe(before);
    await report(id, { hostname: 'renamed' }, '81.9.9.9');
    expect(await changes(id)).toBe(before + 1);
    await report(id, { hostname: 'renamed' });
    expect(await changes(id)).toBe(before + 1);
    const { device } = await app.get(DevicesService).get(superAdmin, { id });
    expect(device).toMatchObject({ name: 'renamed', publicIp: '81.9.9.9', facts: { cpuUsage: 12.5 } });
  });

  it('keep heat and throttling while the device reports them', async () => {
    const id = await enrolDevice(app, acme);
    const shown = async () => (await app.get(DevicesService).get(superAdmin, { id })).device?.facts;
    expect(await shown()).not.toHaveProperty('temperature');
    await report(id, { temperature: -3, throttled: 0x5_0005 });
    expect(await shown()).toMatchObject({ temperature: -3, throttled: 0x5_0005 });
    await report(id);
    expect(await shown()).not.toHaveProperty('temperature');
    expect(await shown()).not.toHaveProperty('throttled');
  });

  it('are compared by filters while the device reports them', async () => {
    const id = await enrolDevice(app, acme);
    const page = { accountId: acme, sort: DeviceSort.UNSPECIFIED };
    const finds = async (filter: string) =>
      (await app.get(DevicesService).list(superAdmin, { ...page, filter: `id=${id} ${filter}` })).total === 1;
    await report(id, { usedDisk: 1n, fullestDisk: '/data', fullestDiskUsage: 93.5, load: 6.5, clockOffset: -90 });
    expect(await finds('disk>93 load>6 clock>1m')).toBe(true);
    // As an older agent reports: the root is all that is known.
    await report(id, { usedDisk: 1n });
    expect(await finds('disk<1 -load>0 -clock<1y')).toBe(true);
  });

  it('are for tunnels only, and of a known device only', async () => {
    const id = await enrolDevice(app, acme);
    const request = { reports: [reportOf(id)] };
    await expect(app.get(FactsService).report(superAdmin, request)).rejects.toMatchObject({
      code: 'permission_denied',
    });
    expect(await report(uuidv7())).toMatchObject({ refused: [{ code: 'not_found' }] });
    expect(await report('x')).toMatchObject({ refused: [{ deviceId: 'x', code: 'not_found' }] });
  });

  it('of many devices are taken together; one that is no good spoils no other', async () => {
    const [one, other, bad] = [
      await enrolDevice(app, acme),
      await enrolDevice(app, acme),
      await enrolDevice(app, acme),
    ];
    const reports = [
      reportOf(one, { hostname: 'one' }),
      reportOf(bad, { cpuUsage: 300 }),
      reportOf(uuidv7()),
      reportOf(other, { usedDisk: 7n }),
    ];
    const before = await changes(other);
    const { refused } = await app.get(FactsService).report(tunnels, { reports });
    expect(refused.map(({ code }) => code).sort()).toEqual(['invalid_argument', 'not_found']);
    expect(refused.find(({ deviceId }) => deviceId === bad)?.message).toContain('facts.cpuUsage');
    const shown = (id: string) => app.get(DevicesService).get(superAdmin, { id });
    expect((await shown(one)).device).toMatchObject({ name: 'one' });
    expect((await shown(other)).device).toMatchObject({ facts: { usedDisk: 7n } });
    expect(await changes(other)).toBe(before);
    const crowd = Array.from({ length: 201 }, () => reportOf(one));
    await expect(app.get(FactsService).report(tunnels, { reports: crowd })).rejects.toThrow('at most 200');
  });
});
