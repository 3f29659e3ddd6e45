import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { UpdateState } from '@warren/proto/agent/v1/agent';
import { RolloutChange, RolloutDeviceState, RolloutState } from '@warren/proto/devices/v1/rollouts';
import { v7 as uuidv7 } from 'uuid';
import { RolloutWorld } from './rollouts.process.ts';

describe('rollouts whose devices failed', () => {
  let world: RolloutWorld;

  beforeAll(async () => {
    world = await RolloutWorld.start();
  });

  afterAll(() => world.stop());

  beforeEach(() => world.clear());

  it('keep devices whose download failed waiting, without counting that against the version', async () => {
    const ids = await world.fleet(4);
    world.answer = () => ({ state: UpdateState.DOWNLOAD_FAILED, why: 'name: nobody knows this name' });
    const id = await world.begin();
    await until(async () => (await world.get(id))?.counts?.downloadFailed === 4);
    const { devices = [] } = await world.rollouts.devices(world.superAdmin, { id });
    expect(devices.map(({ why }) => why)).toEqual(ids.map(() => 'name: nobody knows this name'));
    expect(devices[0]?.state).toBe(RolloutDeviceState.DOWNLOAD_FAILED);
    expect((await world.get(id))?.state).toBe(RolloutState.RUNNING);
    // The next try fails for another reason, the one after it succeeds.
    world.answer = () => ({ state: UpdateState.DOWNLOAD_FAILED, why: 'connection: nothing listens there' });
    await world.soon();
    await until(
      async () =>
        (await world.rollouts.devices(world.superAdmin, { id })).devices?.[0]?.why?.startsWith('conn') ?? false,
    );
    world.answer = () => ({ state: UpdateState.DONE });
    await world.soon();
    await until(async () => (await world.get(id))?.state === RolloutState.DONE);
    expect((await world.get(id))?.counts).toEqual({ waiting: 0, updated: 4 });
    expect(new Set(world.offers.map(({ name }) => name))).toEqual(new Set([id]));
  });

  it('retry one device that failed under another offer, also when they are done', async () => {
    const [device = '', second = ''] = await world.fleet(2);
    world.answer = ({ device: which }) =>
      which === device ? { state: UpdateState.FAILED, why: 'no room' } : { state: UpdateState.DONE };
    const id = await world.begin();
    await until(async () => (await world.get(id))?.state === RolloutState.DONE);
    const refused = { code: 'failed_precondition' };
    await expect(world.rollouts.retry(world.superAdmin, { id, deviceId: second })).rejects.toMatchObject(refused);
    const unknown = { code: 'not_found' };
    await expect(world.rollouts.retry(world.superAdmin, { id, deviceId: uuidv7() })).rejects.toMatchObject(unknown);
    await expect(world.rollouts.retry(world.superAdmin, { id, deviceId: 'x' })).rejects.toMatchObject(unknown);
    await expect(world.rollouts.retry(world.superAdmin, { id: uuidv7(), deviceId: device })).rejects.toMatchObject(
      unknown,
    );
    world.offers = [];
    world.answer = () => ({ state: UpdateState.WAITING });
    await world.rollouts.retry(world.superAdmin, { id, deviceId: device });
    await until(async () => (await world.states(id))[device] === RolloutDeviceState.BUSY);
    world.answer = () => ({ state: UpdateState.DONE });
    await world.soon();
    await until(async () => (await world.states(id))[device] === RolloutDeviceState.UPDATED);
    expect(new Set(world.offers.map(({ name, device: which }) => `${name} ${which}`))).toEqual(
      new Set([`${id}-1 ${device}`]),
    );
    await world.change(id, RolloutChange.ROLL_BACK);
    await world.source.query(`UPDATE rollout_devices SET state = 'failed' WHERE device_id = $1`, [device]);
    await expect(world.rollouts.retry(world.superAdmin, { id, deviceId: device })).rejects.toMatchObject(refused);
  });

  it('leave a device that failed to another rollout that works on it', async () => {
    const [device = ''] = await world.fleet(1);
    world.answer = () => ({ state: UpdateState.FAILED, why: 'no room' });
    const id = await world.begin();
    await until(async () => (await world.get(id))?.state === RolloutState.DONE);
    world.answer = () => ({ state: UpdateState.WORKING });
    const next = await world.begin(100, world.acme, '0.3.0');
    await until(async () => (await world.states(next))[device] === RolloutDeviceState.UPDATING);
    await expect(world.rollouts.retry(world.superAdmin, { id, deviceId: device })).rejects.toMatchObject({
      code: 'failed_precondition',
      message: expect.stringContaining('another rollout') as unknown,
    });
  });

  it('leave a device that is still at it to an open one', async () => {
    const [device = ''] = await world.fleet(1);
    const id = await world.begin();
    await until(() => world.offers.length > 0);
    await world.change(id, RolloutChange.END);
    const next = await world.begin(100, world.acme, '0.3.0');
    await until(async () => (await world.states(next))[device] === RolloutDeviceState.UPDATING);
    world.offers = [];
    await world.soon();
    await until(() => world.offers.length > 0);
    await world.soon();
    await until(() => world.offers.length > 1);
    expect(new Set(world.offers.map(({ version }) => version))).toEqual(new Set(['0.3.0']));
  });

  it('count a retried device once when they look whether to stop', async () => {
    const ids = await world.fleet(3);
    world.answer = () => ({ state: UpdateState.FAILED, why: 'no room' });
    const id = await world.begin();
    await until(async () => (await world.get(id))?.state === RolloutState.PAUSED);
    await world.change(id, RolloutChange.RESUME);
    world.answer = () => ({ state: UpdateState.WORKING });
    for (const deviceId of ids) await world.rollouts.retry(world.superAdmin, { id, deviceId });
    world.answer = () => ({ state: UpdateState.FAILED, why: 'no room' });
    await world.soon();
    await until(async () => (await world.get(id))?.state === RolloutState.PAUSED);
    expect((await world.get(id))?.why).toBe('3 of 3 devices that tried it failed');
  });

  describe('with slow downloads', () => {
    const age = (hours: number) =>
      world.source.query(
        `UPDATE rollout_devices SET since = now() - make_interval(hours => $1), progressed = now() - make_interval(hours => $1)`,
        [hours],
      );
    const progressOf = async (id: string) => {
      const [row] = await world.source.query<{ downloaded: string; fresh: boolean }[]>(
        `SELECT downloaded, progressed > now() - interval '1 minute' AS fresh FROM rollout_devices WHERE rollout_id = $1`,
        [id],
      );
      return row;
    };

    it('wait for a device that makes progress, and fail one that makes none', async () => {
      const [device = ''] = await world.fleet(1);
      world.answer = () => ({ state: UpdateState.WORKING, downloaded: 1_000n });
      const id = await world.begin();
      await until(async () => (await progressOf(id))?.downloaded === '1000');
      await world.source.query(`UPDATE rollout_devices SET since = now() - interval '3 hours'`);
      world.answer = () => ({ state: UpdateState.WORKING, downloaded: 2_000n });
      await world.soon();
      await until(async () => (await progressOf(id))?.downloaded === '2000');
      // Rounds that would have failed it.
      const [other = ''] = await world.fleet(1);
      await until(() => world.offers.some((one) => one.device === other));
      expect((await world.states(id))[device]).toBe(RolloutDeviceState.UPDATING);
      await age(3);
      await until(async () => (await world.states(id))[device] === RolloutDeviceState.FAILED);
      const { devices = [] } = await world.rollouts.devices(world.superAdmin, { id });
      expect(devices.find(({ deviceId }) => deviceId === device)?.why).toBe('it was not done within 2 hours');
    });

    it('count a part that was thrown away as no progress, and what comes after it as some', async () => {
      await world.fleet(1);
      world.answer = () => ({ state: UpdateState.WORKING, downloaded: 2_000n });
      const id = await world.begin();
      await until(async () => (await progressOf(id))?.downloaded === '2000');
      await age(1);
      world.answer = () => ({ state: UpdateState.WORKING, downloaded: 10n });
      await world.soon();
      await until(async () => (await progressOf(id))?.downloaded === '10');
      expect((await progressOf(id))?.fresh).toBe(false);
      world.answer = () => ({ state: UpdateState.WORKING, downloaded: 20n });
      await world.soon();
      await until(async () => (await progressOf(id))?.fresh === true);
    });

    it('end the wait after a day without blaming the version', async () => {
      const [device = ''] = await world.fleet(1);
      const id = await world.begin();
      await until(() => world.offers.length > 0);
      await world.source.query(`UPDATE rollout_devices SET since = now() - interval '25 hours', progressed = now()`);
      await until(async () => (await world.states(id))[device] === RolloutDeviceState.FAILED);
      const [row] = await world.source.query<object[]>(
        'SELECT why, blamed FROM rollout_devices WHERE rollout_id = $1',
        [id],
      );
      expect(row).toEqual({ why: 'its download took more than 24 hours', blamed: false });
    });
  });

  it('end the wait for a device that is still at it when they have ended', async () => {
    const [device = ''] = await world.fleet(1);
    const id = await world.begin();
    await until(() => world.offers.length > 0);
    await world.change(id, RolloutChange.END);
    await world.source.query(`UPDATE rollout_devices SET since = now() - interval '3 hours'`);
    await until(async () => (await world.states(id))[device] === RolloutDeviceState.FAILED);
    expect((await world.get(id))?.state).toBe(RolloutState.DONE);
  });
});
