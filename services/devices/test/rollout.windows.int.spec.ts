import { timestampDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { UpdateState } from '@warren/proto/agent/v1/agent';
import { Role } from '@warren/proto/common/v1/common';
import { RolloutChange, RolloutDeviceState, RolloutState } from '@warren/proto/devices/v1/rollouts';
import { v7 as uuidv7 } from 'uuid';
import { AccountEvents } from '../src/accounts/account.events.ts';
import { RolloutTurns } from '../src/rollouts/rollout.turns.ts';
import { UpdateWindowsService } from '../src/windows/update.windows.service.ts';
import { user } from './callers.ts';
import { RolloutWorld } from './rollouts.process.ts';

/** ISO 8601 weekday in UTC, so many days from now. */
const weekday = (ahead: number) => ((new Date().getUTCDay() + 6 + ahead) % 7) + 1;
const window = (...days: number[]) => ({ days, from: '02:00', to: '02:00', timeZone: 'UTC' });
const CLOSED_ON = weekday(3);
/** Never open today, nor tomorrow. */
const CLOSED = window(CLOSED_ON);
const OPEN = window(1, 2, 3, 4, 5, 6, 7);

describe('rollouts to accounts with update windows', () => {
  let world: RolloutWorld;
  let windows: UpdateWindowsService;

  beforeAll(async () => {
    world = await RolloutWorld.start();
    windows = world.app.get(UpdateWindowsService);
  });

  afterAll(() => world.stop());

  beforeEach(async () => {
    await world.clear();
    await world.source.query('DELETE FROM update_windows');
  });

  const set = (to?: typeof CLOSED, accountId = world.acme) =>
    windows.set(world.superAdmin, { accountId, ...(to && { window: to as never }) });
  const waiting = async (id: string) => (await world.get(id))?.wait?.devices ?? 0;

  it('wait for the window, say when it opens, and begin when it is open', async () => {
    const [theirs = ''] = await world.fleet(1, world.other);
    const mine = await world.fleet(2);
    const answer = await set(CLOSED);
    expect(answer).toMatchObject({ window: CLOSED, open: false });
    const id = await world.begin(100, '');
    await until(() => world.offers.some(({ device }) => device === theirs));
    const rollout = await world.get(id);
    expect(rollout?.counts).toMatchObject({ waiting: 2 });
    expect(rollout?.wait).toMatchObject({ devices: 2, timeZone: 'UTC' });
    expect(rollout?.wait?.opens).toEqual(answer.opens);
    const opens = timestampDate(answer.opens as never);
    expect([opens.getUTCDay(), opens.getUTCHours()]).toEqual([CLOSED_ON % 7, 2]);
    expect(await world.states(id)).toEqual({
      [theirs]: RolloutDeviceState.UPDATING,
      ...Object.fromEntries(mine.map((device) => [device, RolloutDeviceState.WINDOW])),
    });
    expect(world.offers.every(({ device }) => device === theirs)).toBe(true);
    await set(OPEN);
    await until(() => new Set(world.offers.map(({ device }) => device)).size === 3);
    expect(await waiting(id)).toBe(0);
    expect((await world.get(id))?.wait).toBeUndefined();
  });

  it('are not done while devices wait', async () => {
    await world.fleet(1);
    await set(CLOSED);
    world.answer = () => ({ state: UpdateState.DONE });
    const id = await world.begin();
    await until(async () => (await waiting(id)) === 1);
    expect((await world.get(id))?.state).toBe(RolloutState.RUNNING);
    await set();
    await until(async () => (await world.get(id))?.state === RolloutState.DONE);
    expect((await world.get(id))?.counts).toMatchObject({ updated: 1 });
  });

  it('let devices that have begun finish, and have those that wait for terminals or a download wait for the next window', async () => {
    const [working = '', busy = ''] = await world.fleet(3);
    world.answer = ({ device }) =>
      device === working
        ? { state: UpdateState.WORKING }
        : { state: device === busy ? UpdateState.WAITING : UpdateState.DOWNLOAD_FAILED };
    const id = await world.begin();
    await until(async () => (await world.get(id))?.counts?.busy === 1);
    await until(async () => (await world.get(id))?.counts?.downloadFailed === 1);
    await set(CLOSED);
    await until(async () => (await waiting(id)) === 2);
    world.offers = [];
    world.answer = () => ({ state: UpdateState.DONE });
    await world.soon();
    await until(async () => (await world.states(id))[working] === RolloutDeviceState.UPDATED);
    expect(new Set(world.offers.map(({ device }) => device))).toEqual(new Set([working]));
    await set();
    await until(async () => (await world.get(id))?.counts?.updated === 3);
  });

  const setConnected = (id: string, connected: boolean) =>
    world.source.query(
      `UPDATE devices SET connected = $2, status_since = now() - CASE WHEN $2 THEN interval '0' ELSE interval '11 minutes' END
       WHERE id = $1`,
      [id, connected],
    );

  it('take a device that was away at its turn in the window, not when it comes back', async () => {
    const [here = '', away = ''] = await world.fleet(2);
    await setConnected(away, false);
    const id = await world.begin();
    await until(() => world.offers.length > 0);
    await set(CLOSED);
    world.answer = () => ({ state: UpdateState.DONE });
    await world.soon();
    // The round that notes this ends; the next one knows the window.
    await until(async () => (await world.states(id))[here] === RolloutDeviceState.UPDATED);
    await setConnected(away, true);
    await until(async () => (await world.states(id))[away] === RolloutDeviceState.WINDOW);
    await world.app.get(RolloutTurns).take();
    expect(await waiting(id)).toBe(1);
    expect(world.offers.every(({ device }) => device === here)).toBe(true);
    await set(OPEN);
    await until(async () => (await world.states(id))[away] === RolloutDeviceState.UPDATED);
    await until(async () => (await world.get(id))?.state === RolloutState.DONE);
  });

  it('ask a device that was lost in the middle of its update in the window, and are not done before', async () => {
    const [lost = '', other = ''] = await world.fleet(2);
    const id = await world.begin();
    await until(() => new Set(world.offers.map(({ device }) => device)).size === 2);
    await set(CLOSED);
    await setConnected(lost, false);
    await until(async () => (await world.states(id))[lost] === RolloutDeviceState.FAILED);
    await setConnected(lost, true);
    world.offers = [];
    world.answer = () => ({ state: UpdateState.DONE });
    await world.soon();
    await until(async () => (await world.states(id))[other] === RolloutDeviceState.UPDATED);
    await world.app.get(RolloutTurns).take();
    expect((await world.get(id))?.state).toBe(RolloutState.RUNNING);
    expect(await waiting(id)).toBe(1);
    expect(await world.states(id)).toEqual({
      [other]: RolloutDeviceState.UPDATED,
      [lost]: RolloutDeviceState.WINDOW,
    });
    expect(world.offers.every(({ device }) => device === other)).toBe(true);
    await set(OPEN);
    await until(async () => (await world.states(id))[lost] === RolloutDeviceState.UPDATED);
    await until(async () => (await world.get(id))?.state === RolloutState.DONE);
  });

  it('update one device at once when a person says so, and no other', async () => {
    const [device = '', other = ''] = await world.fleet(2);
    await set(CLOSED);
    const id = await world.begin();
    await until(async () => (await waiting(id)) === 2);
    await world.rollouts.retry(world.superAdmin, { id, deviceId: device });
    world.answer = () => ({ state: UpdateState.WAITING });
    await until(async () => (await world.states(id))[device] === RolloutDeviceState.BUSY);
    // It stays that person's wish while its terminals are open.
    world.answer = () => ({ state: UpdateState.DONE });
    await world.soon();
    await until(async () => (await world.states(id))[device] === RolloutDeviceState.UPDATED);
    expect((await world.states(id))[other]).toBe(RolloutDeviceState.WINDOW);
    expect(new Set(world.offers.map(({ device: which }) => which))).toEqual(new Set([device]));
  });

  it('update no device that is away, runs a newer version or is not theirs, even by hand', async () => {
    const [away = ''] = await world.fleet(1);
    const [newer = ''] = await world.fleet(1, world.acme, '0.9.0');
    const [foreign = ''] = await world.fleet(1, world.other);
    await set(CLOSED);
    const id = await world.begin();
    await world.source.query('UPDATE devices SET connected = false WHERE id = $1', [away]);
    const retry = (deviceId: string) => world.rollouts.retry(world.superAdmin, { id, deviceId });
    await expect(retry(away)).rejects.toMatchObject({ message: 'the device is not connected.' });
    await expect(retry(newer)).rejects.toMatchObject({
      message: expect.stringContaining('newer than 0.2.0') as unknown,
    });
    await expect(retry(foreign)).rejects.toMatchObject({ code: 'not_found' });
    await world.change(id, RolloutChange.END);
    await expect(retry(newer)).rejects.toMatchObject({ code: 'not_found' });
    expect(world.offers).toEqual([]);
  });

  it('are rolled back at once', async () => {
    const [device = ''] = await world.fleet(1);
    world.answer = () => ({ state: UpdateState.DONE });
    const id = await world.begin();
    await until(async () => (await world.get(id))?.counts?.updated === 1);
    await world.source.query('UPDATE devices SET agent_version = $1', ['0.2.0']);
    await set(CLOSED);
    await world.change(id, RolloutChange.ROLL_BACK);
    await until(async () => (await world.states(id))[device] === RolloutDeviceState.RETURNED);
  });

  describe('whose windows', () => {
    const owner = () => user(world.acme, Role.OWNER);

    it('people of the account read, and its owner and admins change', async () => {
      for (const role of [Role.OWNER, Role.ADMIN])
        expect(
          (await windows.set(user(world.acme, role), { accountId: world.acme, window: CLOSED as never })).open,
        ).toBe(false);
      expect(await windows.get(user(world.acme, Role.MEMBER), { accountId: world.acme })).toMatchObject({
        window: CLOSED,
      });
      expect(await windows.set(owner(), { accountId: world.acme })).toEqual({ open: true });
      expect(await windows.get(owner(), { accountId: world.acme })).toEqual({ open: true });
    });

    it('no other device does', async () => {
      const denied = { code: 'permission_denied' };
      const hidden = { code: 'not_found' };
      const change = { accountId: world.acme, window: CLOSED as never };
      await expect(windows.set(user(world.acme, Role.MEMBER), change)).rejects.toMatchObject(denied);
      await expect(windows.set(user(uuidv7(), Role.ADMIN, true), change)).rejects.toMatchObject(denied);
      await expect(windows.set(user(world.other, Role.OWNER), change)).rejects.toMatchObject(hidden);
      await expect(windows.get(user(world.other, Role.OWNER), change)).rejects.toMatchObject(hidden);
      await expect(windows.get(world.superAdmin, { accountId: uuidv7() })).rejects.toMatchObject(hidden);
    });

    it('are refused when they can not be', async () => {
      const wrong = { ...CLOSED, timeZone: 'Europe/Nowhere' };
      await expect(set(wrong)).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining('expected an IANA time zone such as Europe/Berlin') as unknown,
      });
    });

    it('end with the account', async () => {
      const gone = uuidv7();
      await world.source.query(
        `INSERT INTO accounts (id, name, active, operator, as_of) VALUES ($1, 'Gone', true, false, now())`,
        [gone],
      );
      await set(CLOSED, gone);
      await world.app.get(AccountEvents).deleted(gone);
      expect(await world.source.query('SELECT FROM update_windows WHERE account_id = $1', [gone])).toEqual([]);
    });
  });
});
