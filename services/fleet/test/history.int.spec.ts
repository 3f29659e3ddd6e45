import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { Metric, type Sample } from '@warren/proto/fleet/v1/metrics';
import { v7 as uuidv7 } from 'uuid';
import { HistoryService } from '../src/metrics/history.service.ts';
import { ReportService } from '../src/metrics/report.service.ts';
import { StoreKeeper } from '../src/store/keeper.ts';
import { user } from './callers.ts';
import { FleetWorld, sample, thisMinute } from './fleet.world.ts';

// A machine that is busy takes its time.
const HOUR = 3_600;
const OPERATOR = uuidv7();
const superAdmin = user(OPERATOR, Role.SUPER_ADMIN, true);

/** A sample each minute from `from` on; the load counts them. */
const minutes = (from: number, count: number): Sample[] =>
  Array.from({ length: count }, (_, at) => sample(from + at * 60, { load1: at, cpuPercent: at % 10 === 9 ? 90 : 10 }));

describe('the history of metrics', () => {
  let world: FleetWorld;
  let history: HistoryService;

  beforeAll(async () => {
    world = await FleetWorld.start();
    history = world.app.get(HistoryService);
  });
  afterAll(() => world?.end());

  const read = async (deviceId: string, from: number, to: number, metrics: Metric[] = []) => {
    const answer = await history.metrics(superAdmin, { deviceId, from, to, metrics });
    const of = (metric: Metric) => (answer.series ?? []).find((one) => one.metric === metric);
    return { ...answer, of };
  };
  /** As if it were later: what has come is made into chunks. */
  const compact = (hours = 2) => world.app.get(StoreKeeper).round(new Date(Date.now() + hours * HOUR * 1_000));

  it('shows samples at once, and the same once they are in chunks', async () => {
    const id = world.device();
    const from = thisMinute() - 10 * 60;
    expect(await world.report(id, minutes(from, 10))).toEqual({ refused: [] });
    const fresh = await read(id, from, from + 600);
    expect(fresh).toMatchObject({ start: from, step: 60, points: 10 });
    expect(fresh.of(Metric.LOAD)?.average).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(fresh.of(Metric.DISK)).toMatchObject({ instance: '/', total: 34_359_738_368 });
    expect(fresh.of(Metric.NETWORK_RX)?.average?.[3]).toBeCloseTo(1_000, -2);
    await compact();
    expect(await world.rows('incoming', id)).toBe(0);
    const chunked = await read(id, from, from + 600);
    for (const metric of [Metric.CPU, Metric.LOAD, Metric.MEMORY, Metric.TEMPERATURE, Metric.DISK, Metric.ROUND_TRIP])
      expect(chunked.of(metric)).toEqual(fresh.of(metric));
  });

  it('has each time once, however often it comes', async () => {
    const id = world.device();
    const from = thisMinute() - 30 * 60;
    const samples = minutes(from, 30);
    await world.report(id, samples);
    await world.report(id, samples.slice(10));
    await compact();
    await world.report(id, samples);
    const day = await read(id, from - (from % 300), from + 24 * HOUR);
    const before = await read(id, from, from + 1_800);
    await compact();
    expect(day.step).toBe(120);
    expect((await read(id, from, from + 1_800)).of(Metric.LOAD)).toEqual(before.of(Metric.LOAD));
    expect(before.of(Metric.LOAD)?.average).toEqual(samples.map(({ load1 }) => load1));
  });

  it('sums up 5 minutes to average and maximum, late samples included', async () => {
    const id = world.device();
    const now = thisMinute();
    const from = now - (now % HOUR) - 3 * HOUR;
    const samples = minutes(from, 60);
    await world.report(id, samples.slice(30));
    await compact();
    await world.report(id, samples.slice(0, 30));
    const mixed = await read(id, from, from + 60 * HOUR);
    await compact();
    const whole = await read(id, from, from + 60 * HOUR);
    expect(whole.step).toBe(300);
    expect(whole.of(Metric.LOAD)?.average?.slice(0, 12)).toEqual([2, 7, 12, 17, 22, 27, 32, 37, 42, 47, 52, 57]);
    expect(whole.of(Metric.CPU)?.average?.slice(0, 2)).toEqual([10, 26]);
    expect(whole.of(Metric.CPU)?.max?.slice(0, 2)).toEqual([10, 90]);
    expect(mixed.of(Metric.LOAD)).toEqual(whole.of(Metric.LOAD));
  });

  it('shows the last 24 hours of many devices in 48 points, without those of others', async () => {
    const account = uuidv7();
    const [own, foreign] = [world.device(account), world.device()];
    const from = thisMinute() - 2 * HOUR;
    for (const id of [own, foreign]) await world.report(id, minutes(from, 120));
    const request = { deviceIds: [own, foreign, uuidv7(), 'nonsense'], metrics: [Metric.CPU] };
    const answer = await history.sparklines(user(account, Role.MEMBER), request);
    expect(answer).toMatchObject({ step: 1_800, points: 48 });
    expect(answer.devices?.map(({ deviceId }) => deviceId)).toEqual([own]);
    const [series] = answer.devices?.[0]?.series ?? [];
    expect(series?.average?.filter((value) => !Number.isNaN(value))).toEqual(expect.arrayContaining([18]));
    const all = await history.sparklines(superAdmin, request);
    expect(all.devices).toHaveLength(2);
  });

  it('is not another account\u2019s', async () => {
    const account = uuidv7();
    const id = world.device(account);
    const now = thisMinute();
    await world.report(id, [sample(now)]);
    const request = { deviceId: id, from: now - HOUR, to: now + 60, metrics: [] };
    expect((await history.metrics(user(account, Role.MEMBER), request)).series).not.toEqual([]);
    const stranger = user(uuidv7(), Role.OWNER);
    await expect(history.metrics(stranger, request)).rejects.toMatchObject({ code: 'not_found' });
    await world.move(id, uuidv7());
    await expect(history.metrics(user(account, Role.MEMBER), request)).rejects.toMatchObject({ code: 'not_found' });
    await expect(history.metrics(serviceCaller('tunnels'), request)).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  it('moves with a device, and goes with it', async () => {
    const id = world.device();
    const account = uuidv7();
    const now = thisMinute();
    await world.report(id, [sample(now - 60)]);
    await compact();
    await world.report(id, [sample(now)]);
    await world.move(id, account);
    await until(async () => {
      const rows = await world.source.query<unknown[]>('SELECT FROM devices WHERE id = $1 AND account_id = $2', [
        id,
        account,
      ]);
      return rows.length === 1;
    });
    expect(
      (await history.metrics(user(account, Role.MEMBER), { deviceId: id, from: now - HOUR, to: now + 60, metrics: [] }))
        .series,
    ).not.toEqual([]);
    await world.delete(id);
    for (const table of ['devices', 'boots', 'incoming', 'samples', 'five_minutes'])
      await until(async () => (await world.rows(table, id)) === 0);
    expect(await world.report(id, [sample(now)])).toMatchObject({ refused: [{ deviceId: id, code: 'not_found' }] });
    expect(await world.rows('incoming', id)).toBe(0);
  });

  it('remembers boots, each once, also those that come late', async () => {
    const account = uuidv7();
    const id = world.device(account);
    const now = thisMinute();
    const boots = [now - 5_000, now - 2_000, now - 500];
    const at = (time: number, boot: number) => sample(time, { boot });
    await world.report(id, [at(now - 4_000, boots[0] ?? 0), at(now - 3_940, (boots[0] ?? 0) + 10)]);
    await world.report(id, [at(now - 60, boots[2] ?? 0), at(now - 1_500, boots[1] ?? 0)]);
    await world.report(id, [at(now, (boots[2] ?? 0) - 10), at(now - 1_440, boots[1] ?? 0)]);
    const request = { deviceId: id, from: now - 10_000, to: now };
    expect(await history.boots(user(account, Role.MEMBER), request)).toEqual({ times: boots });
    await expect(history.boots(user(uuidv7(), Role.OWNER), request)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('takes reports of tunnels alone, and within bounds', async () => {
    const reports = world.app.get(ReportService);
    await expect(reports.report(serviceCaller('gateway'), { devices: [] })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await expect(reports.report(superAdmin, { devices: [] })).rejects.toMatchObject({ code: 'permission_denied' });
    const many = Array.from({ length: 5_001 }, () => sample(thisMinute()));
    await expect(world.report(world.device(), many)).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(await world.report('nonsense', [sample(thisMinute())])).toMatchObject({
      refused: [{ deviceId: 'nonsense' }],
    });
  });
});
