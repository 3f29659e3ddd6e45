import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { requireUser, userCaller } from '@warren/platform/rpc/caller';
import { UpdateState } from '@warren/proto/agent/v1/agent';
import { Role } from '@warren/proto/common/v1/common';
import { RolloutChange, RolloutDeviceState, RolloutState } from '@warren/proto/devices/v1/rollouts';
import { v7 as uuidv7 } from 'uuid';
import { user } from './callers.ts';
import { RolloutWorld } from './rollouts.process.ts';

describe('rollouts', () => {
  let world: RolloutWorld;

  beforeAll(async () => {
    world = await RolloutWorld.start();
  });

  afterAll(() => world.stop());

  beforeEach(() => world.clear());

  it('offer a version to the account that it is for, and are done when all have it', async () => {
    const mine = await world.fleet(3);
    const theirs = await world.fleet(1, world.other);
    const id = await world.begin();
    await until(() => world.offers.length >= 3);
    expect(new Set(world.offers.map(({ device }) => device))).toEqual(new Set(mine));
    expect((await world.get(id))?.counts).toMatchObject({ waiting: 0, updating: 3 });
    world.answer = () => ({ state: UpdateState.DONE });
    await world.soon();
    await until(async () => (await world.get(id))?.state === RolloutState.DONE);
    expect((await world.get(id))?.counts).toMatchObject({ updated: 3 });
    expect(world.offers.some(({ device }) => theirs.includes(device))).toBe(false);
  });

  it('reach a share of the devices that stays the same, and more of them when it is raised', async () => {
    const ids = await world.fleet(12);
    const percents = await world.source.query<{ percent: number }[]>(
      'SELECT rollout_percent(id) AS percent FROM devices WHERE id = ANY($1::uuid[]) ORDER BY 1',
      [ids],
    );
    const share = (percents[5]?.percent ?? 0) + 1;
    const few = percents.filter(({ percent }) => percent < share).length;
    world.answer = () => ({ state: UpdateState.DONE });
    const id = await world.begin(share);
    await until(async () => (await world.get(id))?.counts?.updated === few);
    await expect(world.rollouts.setShare(world.superAdmin, { id, share: share - 1 })).rejects.toMatchObject({
      code: 'failed_precondition',
    });
    await world.rollouts.setShare(world.superAdmin, { id, share: 100 });
    await until(async () => (await world.get(id))?.counts?.updated === 12);
  });

  it('stop by themselves when too many devices fail, name why, and continue when a person says so', async () => {
    const ids = await world.fleet(4);
    world.answer = ({ device }) =>
      device === ids[3]
        ? { state: UpdateState.WORKING }
        : { state: UpdateState.FAILED, why: 'it did not reach the hub' };
    const id = await world.begin();
    await until(async () => (await world.get(id))?.state === RolloutState.PAUSED);
    expect((await world.get(id))?.why).toBe('3 of 3 devices that tried it failed');
    const { devices } = await world.rollouts.devices(world.superAdmin, { id });
    expect(devices?.map(({ why }) => why)).toEqual([...Array<string>(3).fill('it did not reach the hub'), '']);
    const asked = world.offers.length;
    await world.fleet(1);
    await world.change(id, RolloutChange.RESUME);
    await until(() => world.offers.length > asked);
    // Those that failed are not offered it again.
    expect(world.offers.slice(asked).every(({ device }) => !ids.slice(0, 3).includes(device))).toBe(true);
    expect((await world.get(id))?.state).toBe(RolloutState.RUNNING);
  });

  it('wait for open terminals, and give up after a day without blaming the version', async () => {
    const [device = ''] = await world.fleet(1);
    world.answer = () => ({ state: UpdateState.WAITING });
    const id = await world.begin();
    await until(async () => (await world.get(id))?.counts?.busy === 1);
    await world.source.query(`UPDATE rollout_devices SET since = now() - interval '25 hours'`);
    await until(async () => (await world.states(id))[device] === RolloutDeviceState.FAILED);
    const { devices = [] } = await world.rollouts.devices(world.superAdmin, { id });
    expect(devices[0]?.why).toBe('its terminals stayed open for 24 hours');
    const [row] = await world.source.query<{ blamed: boolean }[]>(
      'SELECT blamed FROM rollout_devices WHERE rollout_id = $1',
      [id],
    );
    expect(row?.blamed).toBe(false);
  });

  it('call a device lost that does not come back, and ask it when it does', async () => {
    const [device = ''] = await world.fleet(1);
    const id = await world.begin();
    await until(() => world.offers.length > 0);
    await world.source.query(`UPDATE devices SET connected = false, status_since = now() - interval '11 minutes'`);
    await until(async () => (await world.states(id))[device] === RolloutDeviceState.FAILED);
    world.answer = () => ({ state: UpdateState.DONE });
    await world.source.query(`UPDATE devices SET connected = true, status_since = now()`);
    await world.source.query(`UPDATE rollouts SET state = 'running' WHERE id = $1`, [id]);
    await until(async () => (await world.states(id))[device] === RolloutDeviceState.UPDATED);
  });

  it('offer nothing while they are paused, and send devices back when they are rolled back', async () => {
    const [first = ''] = await world.fleet(1);
    world.answer = () => ({ state: UpdateState.DONE });
    const id = await world.begin(100, '');
    await until(async () => (await world.get(id))?.counts?.updated === 1);
    await world.source.query('UPDATE devices SET agent_version = $1', ['0.2.0']);
    await world.source.query(`UPDATE rollouts SET state = 'paused' WHERE id = $1`, [id]);
    const [second = ''] = await world.fleet(1);
    world.offers = [];
    await world.change(id, RolloutChange.ROLL_BACK);
    await until(async () => (await world.states(id))[first] === RolloutDeviceState.RETURNED);
    expect(world.offers).toEqual([{ name: id, device: first, version: '0.1.0', back: true }]);
    expect((await world.states(id))[second]).toBeUndefined();
    expect((await world.get(id))?.state).toBe(RolloutState.ROLLED_BACK);
    await expect(world.change(id, RolloutChange.RESUME)).rejects.toMatchObject({ code: 'failed_precondition' });
  });

  it('never offer a device a version that is older than its own', async () => {
    const [device = ''] = await world.fleet(1, world.acme, '0.10.0');
    const id = await world.begin(100, world.acme, '0.9.0');
    await until(async () => (await world.states(id))[device] === RolloutDeviceState.NEWER);
    await until(async () => (await world.get(id))?.state === RolloutState.DONE);
    expect(world.offers).toEqual([]);
  });

  it('are one at a time for a device', async () => {
    await world.fleet(1);
    await world.begin(1);
    await expect(world.begin(1, '')).rejects.toMatchObject({ code: 'failed_precondition' });
    await expect(world.begin(1, world.other)).resolves.toBeDefined();
  });

  it('count the versions that devices run, newest first', async () => {
    await world.fleet(2, world.acme, '0.9.0');
    await world.fleet(1, world.other, '0.10.0');
    expect((await world.rollouts.versions(world.superAdmin, { accountId: '' })).versions).toEqual([
      { version: '0.10.0', devices: 1, connected: 1 },
      { version: '0.9.0', devices: 2, connected: 2 },
    ]);
    expect((await world.rollouts.versions(world.superAdmin, { accountId: world.acme })).versions).toHaveLength(1);
  });

  it("count the versions of the own account for its members, and not another account's", async () => {
    await world.fleet(2, world.acme, '0.9.0');
    await world.fleet(1, world.other, '0.10.0');
    const member = user(world.acme, Role.MEMBER);
    const own = [{ version: '0.9.0', devices: 2, connected: 2 }];
    for (const accountId of ['', world.acme])
      expect((await world.rollouts.versions(member, { accountId })).versions).toEqual(own);
    const other = world.rollouts.versions(member, { accountId: world.other });
    await expect(other).rejects.toMatchObject({ code: 'not_found' });
    const ungranted = userCaller({ ...requireUser(member), explicitGrants: true });
    expect((await world.rollouts.versions(ungranted, { accountId: '' })).versions).toEqual([]);
  });

  it.each([Role.OWNER, Role.ADMIN, Role.MEMBER])('are nothing for role %s', async (role) => {
    const caller = user(world.acme, role);
    const denied = { code: 'permission_denied' };
    await expect(world.rollouts.list(caller, {})).rejects.toMatchObject(denied);
    await expect(
      world.rollouts.start(caller, { version: '1.0.0', accountId: world.acme, share: 1 }),
    ).rejects.toMatchObject(denied);
    await expect(world.rollouts.apply(caller, { id: uuidv7(), change: RolloutChange.PAUSE })).rejects.toMatchObject(
      denied,
    );
    await expect(world.rollouts.retry(caller, { id: uuidv7(), deviceId: uuidv7() })).rejects.toMatchObject(denied);
  });
});
