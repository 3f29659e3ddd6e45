import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { Fault } from '@warren/platform/errors/fault';
import { EventBus } from '@warren/platform/events/event.bus';
import { Role } from '@warren/proto/common/v1/common';
import { BulkAction, BulkState } from '@warren/proto/devices/v1/bulk';
import { ActivityKind } from '@warren/proto/devices/v1/devices';
import { RolloutsService } from '../src/rollouts/rollouts.service.ts';
import { byToken } from './callers.ts';
import { failuresOf } from './bulk.failures.ts';
import { BulkWorld, gate } from './bulk.world.ts';

const { REBOOT, UPDATE, MOVE, DELETE, DISABLE_CONSOLE, ENABLE_WEB } = BulkAction;
const OF_JOB = { account_id: true, actor: 'Someone' };
interface Done {
  device_id: string;
  account_id: string;
  detail: string;
}
const byDevice = (a: Pick<Done, 'device_id' | 'detail'>, b: typeof a) =>
  `${a.device_id}${a.detail}`.localeCompare(`${b.device_id}${b.detail}`);

describe('bulk jobs', () => {
  const world = new BulkWorld();
  let admin: ReturnType<BulkWorld['person']>;

  beforeAll(() => world.start());
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.clear();
    admin = world.person(Role.SUPER_ADMIN);
  });

  /** What the history of devices has of bulk jobs. */
  const done = async (ids: string[]) => {
    const columns = 'device_id, account_id, actor, detail';
    const rows = await world.source.query<Done[]>(
      `SELECT ${columns} FROM device_history WHERE kind = ${ActivityKind.BULK_ACTION} AND device_id = ANY($1::uuid[])`,
      [ids],
    );
    return rows.map((row) => ({ ...row, account_id: row.account_id === world.acme })).sort(byDevice);
  };

  const failures = (id: string, of = admin) => failuresOf(world, of, id);

  it('reboot the connected devices once, and name those that are not connected at once', async () => {
    const ids = await world.fleet(3);
    const [away] = await world.fleet(1, world.acme, false);
    const { job } = await world.bulk.start(admin.caller, {
      action: REBOOT,
      ids: [],
      filter: '',
      accountId: world.acme,
      targetAccountId: '',
      atMost: 0,
    });
    expect(job?.counts).toMatchObject({ total: 4, failed: 1 });
    expect(job?.failures).toMatchObject([{ code: 'offline', devices: [{ id: away }] }]);
    const over = await world.over(admin, job?.id ?? '');
    expect(over).toMatchObject({ state: BulkState.DONE, counts: { done: 3, failed: 1, waiting: 0, running: 0 } });
    expect([...world.rebooted].sort()).toEqual([...ids].sort());
    expect(await done([...ids, away ?? ''])).toEqual(
      ids.map((device_id) => ({ device_id, ...OF_JOB, detail: 'reboot' })).sort(byDevice),
    );
  });

  it('go in waves', async () => {
    await world.fleet(22);
    let most = 0;
    let now = 0;
    const release = gate();
    world.onReboot = async () => {
      most = Math.max(most, ++now);
      await release.open;
      now--;
    };
    const id = await world.begin(admin, REBOOT, { filter: '' });
    await until(() => world.rebooted.length === 20);
    expect((await world.get(admin, id)).counts).toMatchObject({ running: 20, waiting: 2 });
    release.unlock();
    await world.over(admin, id);
    expect(most).toBe(20);
    expect(world.rebooted).toHaveLength(22);
  });

  it('delete, move and switch devices by the services of single devices', async () => {
    const [one = '', two = ''] = await world.fleet(2);
    await world.over(admin, await world.begin(admin, DISABLE_CONSOLE, { ids: [one, two] }));
    await world.over(admin, await world.begin(admin, ENABLE_WEB, { ids: [one] }));
    await world.over(admin, await world.begin(admin, MOVE, { ids: [one], targetAccountId: world.other }));
    const rows = await world.source.query(
      'SELECT id, account_id, ssh_enabled, http_enabled FROM devices ORDER BY sort_name',
    );
    expect(rows).toEqual([
      { id: one, account_id: world.other, ssh_enabled: false, http_enabled: true },
      { id: two, account_id: world.acme, ssh_enabled: false, http_enabled: false },
    ]);
    await world.over(admin, await world.begin(admin, DELETE, { filter: 'name~pi' }));
    expect(await world.source.query('SELECT id FROM devices')).toEqual([]);
    const switched = [one, two].map((device_id) => ({ device_id, ...OF_JOB, detail: 'disable_console' }));
    const enabled = { device_id: one, ...OF_JOB, detail: 'enable_web' };
    expect(await done([one, two])).toEqual([...switched, enabled].sort(byDevice));
    const deleted = await world.source.query<{ actor: string }[]>(
      `SELECT actor FROM device_history WHERE device_id = ANY($1::uuid[]) AND detail = '' AND actor <> ''`,
      [[one, two]],
    );
    expect(new Set(deleted.map(({ actor }) => actor))).toEqual(new Set(['Someone']));
  });

  it('switch devices together, with the events and refusals that each would have alone', async () => {
    const ids = await world.fleet(60);
    const [moved = '', off = ''] = ids;
    await world.source.query('UPDATE devices SET ssh_enabled = false WHERE id = $1', [off]);
    const audited: string[] = [];
    const unlisten = world.service(EventBus).listen(({ kind }) => {
      if (kind.case === 'audit' && kind.value.action === 'device.set_service')
        audited.push(kind.value.target?.id ?? '');
    });
    const hold = await world.hold('id = ANY($1::uuid[])', [ids]);
    const id = await world.begin(admin, DISABLE_CONSOLE, { ids });
    await until(async () => (await world.get(admin, id)).counts?.running === 60);
    await hold.query('UPDATE devices SET account_id = $2 WHERE id = $1', [moved, world.other]);
    await hold.commitTransaction();
    await hold.release();
    expect(await failures(id)).toMatchObject([{ code: 'moved', count: 1 }]);
    const on = await world.source.query('SELECT id FROM devices WHERE ssh_enabled');
    expect(on).toEqual([{ id: moved }]);
    await until(() => audited.length === 58);
    unlisten();
    expect(audited).not.toContain(off);
    const [{ transactions } = { transactions: 0 }] = await world.source.query<{ transactions: number }[]>(
      'SELECT count(DISTINCT xmin::text)::int AS transactions FROM bulk_devices WHERE job_id = $1',
      [id],
    );
    expect(transactions).toBe(2);
  });

  it('switch devices one by one after one of them could not be changed', async () => {
    const ids = await world.fleet(5);
    await world.database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON devices FOR EACH ROW WHEN (OLD.id = '${ids[2]}') EXECUTE FUNCTION refuse()`);
    try {
      const over = await world.over(admin, await world.begin(admin, DISABLE_CONSOLE, { ids }));
      expect(over.counts).toMatchObject({ done: 4, failed: 1 });
      expect(over.failures).toMatchObject([{ code: 'internal', devices: [{ id: ids[2] }] }]);
    } finally {
      await world.database.query('DROP TRIGGER refuse ON devices; DROP FUNCTION refuse');
    }
  });

  it('switch the devices of the present transaction alone when they are cancelled', async () => {
    const ids = await world.fleet(60);
    const hold = await world.hold('id = ANY($1::uuid[])', [ids]);
    const id = await world.begin(admin, DISABLE_CONSOLE, { ids });
    await until(async () => {
      const waiting = await world.database.query<unknown[]>(
        'SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()',
      );
      return waiting.length > 0;
    });
    await world.bulk.cancel(admin.caller, { id });
    await hold.commitTransaction();
    await hold.release();
    await until(async () => (await world.get(admin, id)).counts?.running === 0);
    expect((await world.get(admin, id)).counts).toMatchObject({ done: 50, cancelled: 10, failed: 0 });
    expect(await world.source.query('SELECT id FROM devices WHERE ssh_enabled')).toHaveLength(10);
  });

  it('update devices by the open rollout that includes them', async () => {
    const [one = '', two = ''] = await world.fleet(2);
    const none = await world.begin(admin, UPDATE, { ids: [one, two] });
    expect(await failures(none)).toMatchObject([{ code: 'no_rollout', count: 2 }]);
    const rollouts = world.service(RolloutsService);
    // An update window would hold back all but what a person wants at once.
    const { rollout } = await rollouts.start(admin.caller, { version: '0.2.0', accountId: world.acme, share: 100 });
    const id = await world.begin(admin, UPDATE, { ids: [one, two] });
    expect((await world.over(admin, id)).counts).toMatchObject({ done: 2, failed: 0 });
    const { devices = [] } = await rollouts.devices(admin.caller, { id: rollout?.id ?? '' });
    expect(devices.map(({ deviceId }) => deviceId).sort()).toEqual([one, two].sort());
    await world.source.query(`UPDATE rollouts SET state = 'done'`);
  });

  it('write an audit event when they start and finish', async () => {
    const heard: unknown[] = [];
    const unlisten = world.service(EventBus).listen(({ kind }) => {
      if (kind.case !== 'audit' || !kind.value.action.startsWith('bulk_job.')) return;
      heard.push({ ...kind.value, details: JSON.parse(kind.value.details) });
    });
    const ids = await world.fleet(1);
    await world.over(admin, await world.begin(admin, REBOOT, { ids }));
    await until(() => heard.length === 2);
    unlisten();
    expect(heard).toMatchObject([
      { action: 'bulk_job.start', target: { name: 'reboot' }, details: { devices: 1, done: 0, failed: 0 } },
      { action: 'bulk_job.finish', actor: { id: 'devices' }, details: { devices: 1, done: 1, failed: 0 } },
    ]);
  });

  it('name the refusal of a device', async () => {
    const ids = await world.fleet(1);
    world.onReboot = async () => {
      throw new Fault('failed_precondition', 'reboots are not allowed here.');
    };
    const { failures: refused } = await world.over(admin, await world.begin(admin, REBOOT, { ids }));
    expect(refused).toMatchObject([{ code: 'failed_precondition', reason: 'reboots are not allowed here.' }]);
  });

  it('leave a device that was moved to another account since', async () => {
    const ids = await world.fleet(21);
    const release = gate();
    world.onReboot = () => release.open;
    const id = await world.begin(admin, REBOOT, { ids });
    await until(() => world.rebooted.length === 20);
    await world.source.query('UPDATE devices SET account_id = $1 WHERE id = $2', [world.other, ids[20]]);
    release.unlock();
    expect(await failures(id)).toMatchObject([{ code: 'moved', count: 1 }]);
  });

  it('refuse the rest when the right is withdrawn in the middle', async () => {
    await world.fleet(23);
    const release = gate();
    world.onReboot = () => release.open;
    const id = await world.begin(admin, REBOOT, { filter: '' });
    await until(() => world.rebooted.length === 20);
    admin.role = Role.MEMBER;
    release.unlock();
    expect(await failures(id, world.person(Role.SUPER_ADMIN))).toMatchObject([{ code: 'rights_withdrawn', count: 3 }]);
    expect(world.rebooted).toHaveLength(20);
  });

  it('end when they are cancelled: what is in progress is finished, the rest is left', async () => {
    await world.fleet(25);
    const release = gate();
    world.onReboot = () => release.open;
    const id = await world.begin(admin, REBOOT, { filter: '' });
    await until(() => world.rebooted.length === 20);
    // One's own job, but its action is beyond the token.
    await expect(world.bulk.cancel(byToken(admin.caller, ['devices.read']), { id })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await world.bulk.cancel(byToken(admin.caller, ['devices.read', 'devices.manage']), { id });
    release.unlock();
    await until(async () => (await world.get(admin, id)).counts?.done === 20);
    expect(await world.get(admin, id)).toMatchObject({
      state: BulkState.CANCELLED,
      counts: { cancelled: 5, running: 0 },
    });
    await expect(world.bulk.cancel(admin.caller, { id })).rejects.toMatchObject({ code: 'failed_precondition' });
  });
});
