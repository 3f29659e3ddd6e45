import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { Role } from '@warren/proto/common/v1/common';
import { BulkAction, BulkState } from '@warren/proto/devices/v1/bulk';
import { v7 as uuidv7 } from 'uuid';
import { BulkJobEntity } from '../src/bulk/bulk.job.entity.ts';
import type { Turn } from '../src/bulk/bulk.sql.ts';
import { BulkSwitches } from '../src/bulk/bulk.switches.ts';
import { BulkWorld, gate } from './bulk.world.ts';

describe('bulk jobs of a process that is killed', () => {
  const world = new BulkWorld();

  beforeAll(() => world.start(), 60_000);
  afterAll(() => world.stop());

  it('are resumed by another one, and reboot no device twice', async () => {
    await world.fleet(25);
    const admin = world.person(Role.SUPER_ADMIN);
    await world.stopHere();
    await world.startApart();
    const never = gate();
    // The first wave: 15 devices answer, 5 do not before the process dies.
    world.onReboot = () => (world.rebooted.length > 15 ? never.open : Promise.resolve());
    const id = await world.beginApart(admin, BulkAction.REBOOT, { filter: '' });
    await until(async () => world.rebooted.length === 20 && (await world.doneOf(id)) === 15);
    await world.kill();
    never.unlock();
    world.onReboot = async () => {};
    await world.startHere();
    const job = await world.over(admin, id, 90_000);
    expect(job).toMatchObject({ state: BulkState.DONE, counts: { total: 25, done: 20, failed: 5 } });
    expect(job.failures).toMatchObject([{ code: 'interrupted', count: 5 }]);
    expect(world.rebooted).toHaveLength(25);
    expect(new Set(world.rebooted).size).toBe(25);
  }, 180_000);

  it('keep the switches of the transactions that committed, and make the others once', async () => {
    await world.source.query('DELETE FROM devices');
    await world.fleet(60);
    const admin = world.person(Role.SUPER_ADMIN);
    const audited = new Map<string, string>();
    const unlisten = world.listen(({ id: eventId, kind }) => {
      if (kind.case === 'audit' && kind.value.action === 'device.set_service')
        audited.set(eventId, kind.value.target?.id ?? '');
    });
    await world.stopHere();
    await world.startApart();
    // A device of the second transaction that somebody holds.
    const hold = await world.hold('id IN (SELECT id FROM devices ORDER BY sort_name OFFSET 55 LIMIT 1)');
    const id = await world.beginApart(admin, BulkAction.DISABLE_CONSOLE, { filter: '' });
    await until(async () => (await world.doneOf(id)) === 50);
    await until(() => audited.size === 50);
    await world.kill();
    await hold.rollbackTransaction();
    await hold.release();
    // A second time, they would be turned off again.
    await world.database.query('UPDATE devices SET ssh_enabled = true WHERE NOT ssh_enabled');
    await world.startHere();
    const job = await world.over(admin, id, 90_000);
    expect(job).toMatchObject({ state: BulkState.DONE, counts: { total: 60, done: 60, failed: 0 } });
    await until(() => audited.size === 60);
    unlisten();
    expect(new Set(audited.values()).size).toBe(60);
    expect(await world.source.query('SELECT id FROM devices WHERE ssh_enabled')).toHaveLength(50);
  }, 180_000);

  it('delete each device exactly once', async () => {
    await world.source.query('DELETE FROM devices');
    await world.fleet(60);
    const admin = world.person(Role.SUPER_ADMIN);
    await world.stopHere();
    await world.startApart();
    // The job stands still in the middle: a device that somebody holds.
    const hold = await world.hold('id IN (SELECT id FROM devices ORDER BY sort_name OFFSET 30 LIMIT 3)');
    const id = await world.beginApart(admin, BulkAction.DELETE, { filter: '' });
    await until(async () => (await world.doneOf(id)) === 30);
    await world.kill();
    await hold.rollbackTransaction();
    await hold.release();
    await world.startHere();
    const job = await world.over(admin, id, 90_000);
    expect(job).toMatchObject({ state: BulkState.DONE, counts: { total: 60, done: 60, failed: 0 } });
    const events = await world.source.query<{ count: number; devices: number }[]>(
      `SELECT count(*)::int AS count, count(DISTINCT device_id)::int AS devices FROM device_history h
       JOIN bulk_devices b USING (device_id) WHERE b.job_id = $1 AND h.actor <> ''`,
      [id],
    );
    expect(events).toEqual([{ count: 60, devices: 60 }]);
  }, 180_000);

  it('switch nothing more in a process that stood still while another one finished the job', async () => {
    await world.clear();
    const ids = await world.fleet(2);
    const admin = world.person(Role.SUPER_ADMIN);
    const id = await world.begin(admin, BulkAction.DISABLE_CONSOLE, { ids });
    await world.over(admin, id);
    const turns = await world.source.query<(Turn & { wave: string })[]>(
      'SELECT * FROM bulk_devices WHERE job_id = $1',
      [id],
    );
    await world.source.query('UPDATE devices SET ssh_enabled = true');
    await world.source.manager.update(BulkJobEntity, { id }, { state: 'running' });
    const job = await world.source.manager.findOneByOrFail(BulkJobEntity, { id });
    const take = (wave: string) => world.service(BulkSwitches).take(admin.caller, job, { wave, turns });
    expect(await take(turns[0]?.wave ?? '')).toEqual([]);
    expect(await take(uuidv7())).toEqual([]);
    expect(await world.source.query('SELECT id FROM devices WHERE ssh_enabled')).toHaveLength(2);
  });
});
