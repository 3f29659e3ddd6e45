import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Role } from '@warren/proto/common/v1/common';
import { AlertSeverity, AlertState, type ListAlertsRequest } from '@warren/proto/fleet/v1/alerts';
import { v7 as uuidv7 } from 'uuid';
import { AlertsService } from '../src/alerts/list/alerts.service.ts';
import { AlertPass } from '../src/alerts/pass/alert.pass.ts';
import { SilencesService } from '../src/alerts/silences/silences.service.ts';
import { StoreKeeper } from '../src/store/keeper.ts';
import { AlertsWorld } from './alerts.world.ts';
import { user } from './callers.ts';
import { sample, thisMinute } from './fleet.world.ts';
import { listAlerts } from './listed.alerts.ts';

const HOUR = 3_600;

describe('open alerts', () => {
  const world = new AlertsWorld();
  const { owner } = world;
  let account: string;

  beforeAll(() => world.start());
  afterAll(() => world.end());
  beforeEach(() => {
    ({ account } = world.clear());
  });

  const alerts = () => world.app.get(AlertsService);
  const silences = () => world.app.get(SilencesService);
  const pass = () => world.app.get(AlertPass).pass(new Date());
  const list = async (more: Partial<ListAlertsRequest> = {}, caller = owner()) =>
    (await listAlerts(world.app, caller, more)).alerts ?? [];
  const acknowledge = (ids: (string | undefined)[], caller = owner(), note = '') =>
    alerts().acknowledge(caller, { ids: ids.map((id) => id ?? ''), note });
  const silence = (filter: string, hours = 1, caller = owner(), reason = 'works') =>
    silences().create(caller, {
      accountId: account,
      filter,
      until: timestampFromDate(new Date(Date.now() + hours * HOUR * 1_000)),
      reason,
    });
  const changes = async () => {
    const rows = await world.source.query<{ kind: string; count: number }[]>(
      'SELECT kind, count FROM alert_changes WHERE account_id = $1 ORDER BY created_at, id',
      [account],
    );
    return rows.map(({ kind, count }) => `${kind} ${count}`);
  };

  it('are listed newest first, by pages, state, severity, rule and device', async () => {
    const devices = Array.from({ length: 5 }, () => world.matched.add(account, { breaks: 9 }));
    await pass();
    const [device] = devices;
    world.matched.devices.delete(device?.id ?? '');
    await pass();
    const all = await list({ state: AlertState.UNSPECIFIED });
    const first = await list({ state: AlertState.UNSPECIFIED, limit: 2 });
    const rest = await list({ state: AlertState.UNSPECIFIED, before: first[1]?.id ?? '' });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(all).toHaveLength(5);
    expect(await list({ state: AlertState.CLOSED })).toMatchObject([{ deviceId: device?.id }]);
    expect(await list({ severity: AlertSeverity.CRITICAL })).toEqual([]);
    expect(await list({ severity: AlertSeverity.WARNING, ruleId: all[0]?.ruleId ?? '' })).toHaveLength(4);
    expect(await list({ deviceId: devices[1]?.id ?? '' })).toHaveLength(1);
    for (const wrong of [{ limit: 0 }, { limit: 201 }, { before: 'x' }, { ruleId: 'x' }])
      await expect(list(wrong)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('are acknowledged once, with a note, and counted', async () => {
    for (let i = 0; i < 3; i++) world.matched.add(account, { breaks: 9 });
    await pass();
    const open = await list();
    const ids = open.slice(0, 2).map(({ id }) => id);
    expect(await acknowledge([...ids, uuidv7(), 'nonsense'], owner(), 'On my way')).toEqual({ changed: 2 });
    expect(await acknowledge(ids)).toEqual({ changed: 0 });
    expect(await alerts().counts(owner(), { accountId: account })).toEqual({
      critical: 0,
      warning: 3,
      info: 0,
      unacknowledged: 1,
    });
    expect(await list({ acknowledged: true })).toHaveLength(2);
    expect(await list({ acknowledged: false })).toHaveLength(1);
    expect((await list({ acknowledged: true }))[0]).toMatchObject({
      acknowledged: { by: 'someone@example.com', note: 'On my way' },
    });
    await expect(acknowledge(ids, owner(), 'x'.repeat(1_001))).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(acknowledge(Array.from({ length: 1_001 }, () => uuidv7()))).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  it('are not another account\u2019s', async () => {
    world.matched.add(account, { breaks: 9 });
    await pass();
    const [alert] = await list();
    const other = world.matched.account('Beta');
    const stranger = user(other, Role.OWNER);
    expect(await acknowledge([alert?.id], stranger)).toEqual({ changed: 0 });
    await expect(acknowledge([alert?.id], user(account, Role.MEMBER))).rejects.toMatchObject({
      code: 'permission_denied',
    });
    expect(await list({}, stranger)).toEqual([]);
    expect(await list({ ruleId: alert?.ruleId ?? '', deviceId: alert?.deviceId ?? '' }, stranger)).toEqual([]);
    await expect(list({ accountId: account }, stranger)).rejects.toMatchObject({ code: 'not_found' });
    await expect(alerts().counts(stranger, { accountId: account })).rejects.toMatchObject({ code: 'not_found' });
    // Operators who see all accounts acknowledge in their own alone.
    expect(await acknowledge([alert?.id], user(other, Role.ADMIN, true))).toEqual({ changed: 0 });
    expect(await acknowledge([alert?.id], user(other, Role.SUPER_ADMIN, true))).toEqual({ changed: 1 });
    const { silence: own } = await silence('');
    await expect(silences().delete(stranger, { id: own.id ?? '' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(silence('', 1, stranger)).rejects.toMatchObject({ code: 'not_found' });
    await expect(silence('', 1, user(account, Role.MEMBER))).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(silences().list(stranger, { accountId: account })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of devices that a silence is for notify nobody until it ends', async () => {
    world.matched.add(account, { breaks: 9, labels: { site: 'north' } });
    world.matched.add(account, { breaks: 9, labels: { site: 'south' } });
    const { silence: own } = await silence('site=north');
    await pass();
    expect((await list()).map(({ silenced }) => silenced).sort()).toEqual([false, true]);
    expect(await changes()).toEqual(['opened 1']);
    expect((await silences().list(owner(), { accountId: account })).silences).toMatchObject([
      { filter: 'site=north', reason: 'works', createdBy: 'someone@example.com', accountName: 'Acme' },
    ]);
    await silences().delete(owner(), { id: own.id ?? '' });
    await pass();
    expect((await list()).map(({ silenced }) => silenced)).toEqual([false, false]);
    expect(await changes()).toEqual(['opened 1', 'opened 1']);
    await silence('');
    await pass();
    for (const device of world.matched.devices.values()) device.breaks = 0;
    await pass();
    expect(await list()).toEqual([]);
    expect(await changes()).toEqual(['opened 1', 'opened 1']);
  });

  it('have silences that end, with a filter that is right, and 100 at most', async () => {
    for (const wrong of [
      silence('cpu>'),
      silence('', -1),
      silence('', 24 * 400),
      silence('x'.repeat(1_001)),
      silence('', 1, owner(), ' '),
    ])
      await expect(wrong).rejects.toMatchObject({ code: 'invalid_argument' });
    for (let made = 0; made < 90; made += 10)
      await Promise.all(Array.from({ length: 10 }, () => silence('site=north')));
    const last = await Promise.allSettled(Array.from({ length: 15 }, () => silence('site=north')));
    expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    await expect(silence('')).rejects.toMatchObject({ code: 'failed_precondition' });
  });

  it('are opened for a disk that is full within days by its trend', async () => {
    const [filling, calm] = [world.matched.add(account), world.matched.add(account)];
    const total = 100_000_000_000n;
    const end = thisMinute();
    for (const { id } of [filling, calm]) world.accounts.set(id, account);
    const fill = (hour: number) => BigInt(40 + hour) * 1_000_000_000n;
    const times = Array.from({ length: 25 }, (_, hour) => ({ hour, time: end - (24 - hour) * HOUR }));
    const disks = (used: bigint) => ({ disks: [{ mount: '/data', used, total }] }) as never;
    await world.report(
      filling.id,
      times.map(({ hour, time }) => sample(time, disks(fill(hour)))),
    );
    await world.report(
      calm.id,
      times.map(({ time }) => sample(time, disks(50_000_000_000n))),
    );
    await world.app.get(StoreKeeper).round(new Date(Date.now() + 2 * HOUR * 1_000));
    await pass();
    const [alert, ...others] = await list();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({ deviceId: filling.id, ruleName: 'Disk full within 7 days' });
    // 36 GB are left at 1 GB an hour.
    expect(alert?.value).toBeCloseTo(1.5, 0);
    expect(alert?.detail).toMatch(/^\/data is full in 1\.\d days at the present pace\.$/);
  });
});
