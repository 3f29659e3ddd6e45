import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { registry } from '@warren/platform/telemetry/metrics';
import { UpdateState } from '@warren/proto/agent/v1/agent';
import { ActivityKind } from '@warren/proto/devices/v1/devices';
import { RolloutChange, RolloutDeviceState, RolloutState } from '@warren/proto/devices/v1/rollouts';
import { RolloutFlaps } from '../src/rollouts/rollout.flaps.ts';
import { RolloutWorld, type Offer } from './rollouts.process.ts';

const MINUTE = 60;

describe('devices of a rollout on the first day of its version', () => {
  let world: RolloutWorld;
  let answer: ReturnType<RolloutWorld['answer']>;

  beforeAll(async () => {
    world = await RolloutWorld.start(null);
  });

  afterAll(() => world.stop());

  beforeEach(async () => {
    await world.clear();
    answer = { state: UpdateState.WORKING };
    world.answer = ({ back }: Offer) => (back ? { state: UpdateState.DONE } : answer);
  });

  async function begin(count = 1): Promise<{ id: string; ids: string[] }> {
    const ids = await world.fleet(count);
    return { id: await world.begin(), ids };
  }

  const get = (id: string) => world.get(id);
  const counts = async (id: string) => (await get(id))?.counts;
  const first = async (id: string) => (await world.rollouts.devices(world.superAdmin, { id })).devices?.[0];
  const look = () => world.app.get(RolloutFlaps).look();
  const soon = () => world.soon();
  const triedAgo = (seconds: number) =>
    world.source.query('UPDATE rollout_devices SET tried = now() - make_interval(secs => $1)', [seconds]);

  /** The device's link breaks so often, each time after so many seconds; the last time so many seconds ago. */
  async function breaks(device: string, count: number, after: number, ago = 5): Promise<void> {
    await world.source.query(
      `INSERT INTO device_history (at, account_id, device_id, kind, device_name)
       SELECT now() - make_interval(secs => $5 + n * ($4::integer + 3) + at.back), $1, $2, at.kind, 'pi'
       FROM generate_series(0, $3 - 1) n,
         (VALUES (${ActivityKind.CONNECTED}, $4::integer), (${ActivityKind.DISCONNECTED}, 0)) AS at (kind, back)`,
      [world.acme, device, count, after, ago],
    );
    await world.source.query('UPDATE devices SET status_since = now() WHERE id = $1', [device]);
  }

  /** Devices that say they are done, as those with an updater of 0.1.0 do after seconds. */
  async function onTrial(count = 1) {
    answer = { state: UpdateState.DONE };
    const { id, ids } = await begin(count);
    await until(async () => (await counts(id))?.trial === count);
    await world.source.query(`UPDATE devices SET agent_version = '0.2.0'`);
    return { id, ids, device: ids[0] ?? '' };
  }

  it('are on trial while they say so, and updated when they say that it is passed', async () => {
    answer = { state: UpdateState.TRIAL };
    const { id } = await begin();
    await until(async () => (await counts(id))?.trial === 1);
    expect(await counts(id)).toEqual({ waiting: 0, trial: 1 });
    expect((await first(id))?.state).toBe(RolloutDeviceState.TRIAL);
    await triedAgo(10 * MINUTE);
    answer = { state: UpdateState.DONE };
    await soon();
    await until(async () => (await counts(id))?.updated === 1);
    await until(async () => (await get(id))?.state === RolloutState.DONE);
  });

  it('are on trial for ten minutes, whatever an updater of 0.1.0 says', async () => {
    const { id } = await onTrial();
    await triedAgo(9 * MINUTE);
    // When it is asked the second time, the first answer is written.
    for (let asks = 0; asks < 2; asks++) {
      const before = world.offers.length;
      await soon();
      await until(() => world.offers.length > before);
    }
    expect(await counts(id)).toEqual({ waiting: 0, trial: 1 });
    expect((await get(id))?.state).toBe(RolloutState.RUNNING);
    await triedAgo(10 * MINUTE);
    await soon();
    await until(async () => (await counts(id))?.updated === 1);
  });

  it('flap when they say that the version crashed, and stop the rollout', async () => {
    answer = { state: UpdateState.FAILED, why: 'it crashed 3 times', crashes: 3 };
    const { id } = await begin(3);
    await until(async () => (await get(id))?.state === RolloutState.PAUSED);
    expect(await get(id)).toMatchObject({ why: '3 of 3 devices that tried it failed; it flaps on 3' });
    expect(await counts(id)).toEqual({ waiting: 0, flapping: 3 });
    expect(await first(id)).toMatchObject({ state: RolloutDeviceState.FLAPPING, why: 'it crashed 3 times' });
    await look();
    expect(await registry.getSingleMetricAsString('warren_devices_rollout_devices')).toMatch(
      /\{state="flapping",component="\w+"\} 3$/m,
    );
  });

  it('flap when their links break again and again, though they say that all is well', async () => {
    const { id, ids } = await onTrial(3);
    await triedAgo(5 * MINUTE);
    for (const device of ids) await breaks(device, 4, 40);
    await look();
    expect(await counts(id)).toEqual({ waiting: 0, trial: 3 });
    for (const device of ids) await breaks(device, 1, 40, 200);
    await look();
    expect((await first(id))?.why).toBe('its link broke 5 times within 5 minutes of the update');
    await until(async () => (await get(id))?.state === RolloutState.PAUSED);
    expect(await counts(id)).toMatchObject({ flapping: 3 });
    // They run it still.
    await world.change(id, RolloutChange.ROLL_BACK);
    await until(async () => (await counts(id))?.returned === 3);
    const backs = world.offers.filter(({ back }) => back);
    expect(new Set(backs.map(({ version, device }) => `${version} ${device}`))).toEqual(
      new Set(ids.map((device) => `0.1.0 ${device}`)),
    );
  });

  it('do not flap when links last, or broke as often before the update', async () => {
    const { id, device } = await onTrial();
    await triedAgo(20 * 60 * MINUTE);
    await breaks(device, 9, 100 * MINUTE);
    await look();
    expect((await first(id))?.state).toBe(RolloutDeviceState.TRIAL);
    await triedAgo(10 * MINUTE);
    await world.source.query('DELETE FROM device_history');
    await breaks(device, 7, 40);
    await breaks(device, 3, 40, 11 * MINUTE);
    await look();
    expect((await first(id))?.state).toBe(RolloutDeviceState.TRIAL);
    await world.source.query(`DELETE FROM device_history WHERE at < now() - interval '10 minutes'`);
    await look();
    expect((await first(id))?.state).toBe(RolloutDeviceState.FLAPPING);
  });

  it('are asked why when they run the former version again after they were updated', async () => {
    const { id } = await onTrial();
    await triedAgo(10 * MINUTE);
    await soon();
    await until(async () => (await counts(id))?.updated === 1);
    answer = { state: UpdateState.FAILED, why: 'it crashed 5 times', crashes: 5 };
    await look();
    expect(await counts(id)).toMatchObject({ updated: 1 });
    await world.source.query(`UPDATE devices SET agent_version = '0.1.0'`);
    await look();
    await until(async () => (await counts(id))?.flapping === 1);
    expect((await first(id))?.why).toBe('it crashed 5 times');
  });

  it('are on trial again, with none of the former breaks, when they are retried', async () => {
    const { id, device } = await onTrial();
    await triedAgo(5 * MINUTE);
    await breaks(device, 5, 40);
    await look();
    expect((await first(id))?.state).toBe(RolloutDeviceState.FLAPPING);
    world.offers = [];
    await world.rollouts.retry(world.superAdmin, { id, deviceId: device });
    await until(async () => (await counts(id))?.trial === 1);
    expect(world.offers[0]?.name).toBe(`${id}-1`);
    await look();
    expect((await first(id))?.state).toBe(RolloutDeviceState.TRIAL);
    // Done, if a round came between the failure and the retry.
    expect((await get(id))?.state).not.toBe(RolloutState.PAUSED);
  });

  it('have their time on trial from its beginning', async () => {
    const { id } = await begin();
    await until(async () => (await counts(id))?.updating === 1);
    await world.source.query(`UPDATE rollout_devices SET since = now() - interval '1 hour'`);
    answer = { state: UpdateState.TRIAL };
    await soon();
    await until(async () => (await counts(id))?.trial === 1);
    const [row] = await world.source.query<{ fresh: boolean }[]>(
      `SELECT since > now() - interval '1 minute' AS fresh FROM rollout_devices WHERE rollout_id = $1`,
      [id],
    );
    expect(row?.fresh).toBe(true);
  });
});
