import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Role } from '@warren/proto/common/v1/common';
import { Metric } from '@warren/proto/fleet/v1/metrics';
import { v7 as uuidv7 } from 'uuid';
import { DeviceReconciler } from '../src/devices/device.reconciler.ts';
import { HistoryService } from '../src/metrics/history.service.ts';
import type { Series } from '../src/series/series.ts';
import { readChunks, writeChunks } from '../src/store/chunks.ts';
import { StoreKeeper } from '../src/store/keeper.ts';
import { asKeeper } from '../src/store/keeper.lock.ts';
import { createPartitions, partitionsOf, spanStart } from '../src/store/partitions.ts';
import { user } from './callers.ts';
import { FleetWorld, sample, thisMinute } from './fleet.world.ts';

// A machine that is busy takes its time.
const HOUR = 3_600;
const DAY = 24 * HOUR;
const superAdmin = user(uuidv7(), Role.SUPER_ADMIN, true);

/** The load, by times and values. */
const loads = (times: number[], value: (at: number) => number): Series => ({
  times,
  counts: times.map(() => 5),
  columns: [
    {
      metric: Metric.LOAD,
      instance: '',
      total: 0,
      average: times.map((_, at) => value(at)),
      max: times.map(() => 9),
      min: [],
    },
  ],
});

describe('the store of metrics', () => {
  let world: FleetWorld;
  const keeper = () => world.app.get(StoreKeeper);
  const names = async (table: 'incoming' | 'samples' | 'five_minutes' | 'hours') =>
    (await partitionsOf(world.source.manager, table)).map(({ name }) => name);
  const at = (text: string) => new Date(`${text}Z`).getTime() / 1_000;

  beforeAll(async () => void (world = await FleetWorld.start()));
  afterAll(() => world?.end());

  /** Partitions as if the service had run on that day. */
  const partitionsAround = (day: string) =>
    world.source.transaction((manager) => createPartitions(manager, new Date(`${day}T12:00:00Z`)));

  it('has partitions ahead in UTC, over the end of a month and a leap day', async () => {
    await partitionsAround('2028-02-28');
    expect(await names('samples')).toEqual(
      expect.arrayContaining(['samples_20280227', 'samples_20280228', 'samples_20280229', 'samples_20280301']),
    );
    expect(await names('hours')).toEqual(expect.arrayContaining(['hours_202801', 'hours_202802', 'hours_202804']));
    const [leap] = (await partitionsOf(world.source.manager, 'samples')).filter(
      ({ name }) => name === 'samples_20280229',
    );
    expect(leap).toMatchObject({ from: new Date('2028-02-29T00:00Z'), to: new Date('2028-03-01T00:00Z') });
    for (const table of ['incoming', 'samples', 'five_minutes', 'hours'] as const)
      for (const name of (await names(table)).filter((one) => one.includes('_2028')))
        await world.source.query(`DROP TABLE ${name}`);
  });

  it('sums days up to hours when no more samples of them can come, and drops what is old', async () => {
    const id = world.device();
    await world.report(id, [sample(thisMinute())]);
    await partitionsAround('2026-10-01');
    const day = at('2026-10-01T00:00');
    const times = Array.from({ length: 288 }, (_, point) => day + point * 300);
    await writeChunks(world.source, 'five_minutes', [
      { deviceId: id, start: day, series: loads(times, (point) => point) },
    ]);
    const hours = () => readChunks(world.source, 'hours', [id], [at('2026-10-01T00:00'), at('2026-10-02T00:00')]);

    await keeper().round(new Date('2026-10-03T01:59:00Z'));
    expect(await hours()).toEqual([]);
    await keeper().round(new Date('2026-10-03T02:01:00Z'));
    const [month] = await hours();
    expect(month?.series.times).toEqual(Array.from({ length: 24 }, (_, hour) => day + hour * HOUR));
    expect(month?.series.columns[0]?.average.slice(0, 2)).toEqual([5.5, 17.5]);
    expect(month?.series.columns[0]?.max.slice(0, 2)).toEqual([9, 9]);
    expect(month?.series.counts[0]).toBe(60);

    await keeper().round(new Date('2026-10-31T23:00:00Z'));
    expect(await names('five_minutes')).toContain('five_minutes_20261001');
    await keeper().round(new Date('2026-11-01T00:01:00Z'));
    expect(await names('five_minutes')).not.toContain('five_minutes_20261001');
    expect(await names('samples')).not.toContain('samples_20261029');
    expect(await names('samples')).toContain('samples_20261030');
    await keeper().round(new Date('2027-11-30T00:00:00Z'));
    expect(await names('hours')).toContain('hours_202610');
    await keeper().round(new Date('2027-12-01T00:00:00Z'));
    expect(await names('hours')).not.toContain('hours_202610');
    expect(await hours()).toEqual([]);
    await keeper().createAhead(new Date());
  });

  it('reads a year of a device in points of twelve hours', async () => {
    const account = uuidv7();
    const ids = Array.from({ length: 20 }, () => world.device(account));
    const now = thisMinute();
    for (let moved = -12; moved <= 0; moved++) {
      const [start, end] = [spanStart(new Date(), 'month', moved), spanStart(new Date(), 'month', moved + 1)];
      const name = `hours_${start.toISOString().slice(0, 7).replace('-', '')}`;
      await world.source.query(
        `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF hours FOR VALUES FROM ('${start.toISOString()}') TO ('${end.toISOString()}')`,
      );
      const first = start.getTime() / 1_000;
      const all = Array.from({ length: 28 * 24 }, (_, hour) => first + hour * HOUR);
      const series = loads(
        all.filter((time) => time < now - 4 * DAY),
        (hour) => hour % 4,
      );
      const chunks = ids.map((deviceId) => ({ deviceId, start: first, series }));
      if (series.times.length > 0) await writeChunks(world.source, 'hours', chunks);
    }
    const history = world.app.get(HistoryService);
    for (const deviceId of ids) {
      const answer = await history.metrics(user(account, Role.MEMBER), {
        deviceId,
        from: now - 365 * DAY,
        to: now,
        metrics: [],
      });
      expect(answer.step).toBe(12 * HOUR);
      const values = (answer.series?.[0]?.average ?? []).filter((value) => !Number.isNaN(value));
      expect(values.length).toBeGreaterThan(600);
      expect(values[10]).toBe(1.5);
    }
  });

  it('resumes a partition that a replica left halfway, and has each sample once', async () => {
    const account = uuidv7();
    const ids = Array.from({ length: 120 }, () => world.device(account));
    const now = thisMinute();
    const times = [now - 300, now - 240, now - 180];
    for (const id of ids)
      await world.report(
        id,
        times.map((time) => sample(time, { load1: 2 })),
      );
    const later = new Date(Date.now() + 2 * HOUR * 1_000);
    const another = await world.replica();
    await Promise.all([keeper().round(later), another.get(StoreKeeper).round(later), keeper().round(later)]);
    await keeper().round(later);
    await another.close();
    const chunks = await readChunks(world.source, 'samples', ids, [now - DAY, now + DAY]);
    const known = Map.groupBy(chunks, ({ deviceId }) => deviceId);
    expect(known.size).toBe(ids.length);
    for (const own of known.values())
      expect(own.flatMap(({ series }) => series.times)).toEqual(times.toSorted((a, b) => a - b));
  });

  it('stores a report whose answer was lost, and sent again, once', async () => {
    const id = world.device();
    const now = thisMinute();
    const samples = [sample(now - 120), sample(now - 60)];
    const dying = await world.replica();
    await world.report(id, samples, dying);
    await dying.close();
    await world.report(id, samples);
    const history = world.app.get(HistoryService);
    const read = async () => {
      const answer = await history.metrics(superAdmin, {
        deviceId: id,
        from: now - 300,
        to: now,
        metrics: [Metric.NETWORK_RX],
      });
      return answer.series?.[0]?.average?.filter((value) => !Number.isNaN(value));
    };
    expect(await read()).toEqual([1_000, 1_000]);
    await keeper().round(new Date(Date.now() + 2 * HOUR * 1_000));
    expect(await read()).toEqual([1_000, 1_000].map((value) => Math.round(value / 16) * 16));
    const [row] = await world.source.query<{ cpu: number; at: Date }[]>(
      'SELECT cpu, sampled_at AS at FROM devices WHERE id = $1',
      [id],
    );
    expect(row).toMatchObject({ cpu: 25, at: new Date((now - 60) * 1_000) });
  });

  it('leaves the work to the replica that is at it', async () => {
    const result = await asKeeper(world.source, () => asKeeper(world.source, () => Promise.resolve('mine')));
    expect(result).toBeUndefined();
  });

  it('writes though nobody has created partitions ahead', async () => {
    for (const name of await names('incoming')) await world.source.query(`DROP TABLE ${name}`);
    const id = world.device();
    expect(await world.report(id, [sample(thisMinute())])).toEqual({ refused: [] });
    expect(await world.rows('incoming', id)).toBe(1);
  });

  it('forgets devices whose deletion it has missed, and corrects accounts', async () => {
    const [gone, moved, account] = [world.device(), world.device(), uuidv7()];
    for (const id of [gone, moved]) await world.report(id, [sample(thisMinute())]);
    world.accounts.delete(gone);
    world.accounts.set(moved, account);
    await world.app.get(DeviceReconciler).reconcile();
    expect(await world.rows('devices', gone)).toBe(0);
    expect(await world.rows('incoming', gone)).toBe(0);
    expect(await world.source.query('SELECT account_id FROM devices WHERE id = $1', [moved])).toEqual([
      { account_id: account },
    ]);
  });

  it('keeps the latest sample alone where the history is off', async () => {
    const off = await world.replica({ METRICS_HISTORY: 'No' });
    const id = world.device();
    expect(await world.report(id, [sample(thisMinute())], off)).toEqual({ refused: [] });
    await off.close();
    expect(await world.rows('devices', id)).toBe(1);
    expect(await world.rows('incoming', id)).toBe(0);
  });
});
