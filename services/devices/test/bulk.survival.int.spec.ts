import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { Role } from '@warren/proto/common/v1/common';
import { BulkAction, BulkState } from '@warren/proto/devices/v1/bulk';
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

  it('delete each device exactly once', async () => {
    await world.source.query('DELETE FROM devices');
    await world.fleet(60);
    const admin = world.person(Role.SUPER_ADMIN);
    await world.stopHere();
    await world.startApart();
    // The job stands still in the middle: a device that somebody holds.
    const hold = world.database.createQueryRunner();
    await hold.startTransaction();
    await hold.query(
      'SELECT FROM devices WHERE id IN (SELECT id FROM devices ORDER BY sort_name OFFSET 30 LIMIT 3) FOR UPDATE',
    );
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
});
