import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AlertKind } from '@warren/proto/fleet/v1/alerts';
import { Role } from '@warren/proto/common/v1/common';
import { AlertsWorld } from './alerts.world.ts';
import { user } from './callers.ts';
import { sample, thisMinute } from './fleet.world.ts';

const BUSY = { name: 'Busy', kind: AlertKind.METRIC, condition: 'cpu.avg>80', minutes: 30 };

describe('a rule over metrics', () => {
  const world = new AlertsWorld();
  const { pass, opened } = world;
  const rules = () => world.rules();
  let account: string;

  beforeAll(() => world.start());
  afterAll(() => world.end());
  beforeEach(async () => {
    ({ account } = world.clear());
    await world.source.query('DELETE FROM alert_rules');
  });

  /** A connected device with a sample for each of the last minutes. */
  async function reporting(cpuPercent: number, minutes = 40, of = account, until = thisMinute()): Promise<string> {
    const { id } = world.matched.add(of);
    world.accounts.set(id, of);
    await report(id, cpuPercent, minutes, until);
    return id;
  }
  const report = (id: string, cpuPercent: number, minutes: number, until = thisMinute()) =>
    world.report(
      id,
      Array.from({ length: minutes }, (_, at) => sample(until - 60 * (minutes - 1 - at), { cpuPercent })),
    );
  const create = async (more: object = {}, caller = world.owner()) =>
    (await rules().create(caller, { accountId: account, rule: { ...BUSY, ...more } as never })).rule;

  it('opens an alert that says what was measured, and closes it when the span is quiet', async () => {
    const busy = await reporting(91.5, 40, account, thisMinute() - 180);
    await reporting(20);
    await create();
    await pass();
    expect(await opened()).toEqual([['Busy', busy]]);
    const [alert] = (await world.list()).alerts ?? [];
    expect(alert).toMatchObject({
      kind: AlertKind.METRIC,
      detail: 'cpu.avg was 91.5 % over 30 minutes (cpu.avg>80)',
      value: 91.5,
    });
    await report(busy, 5, 25);
    await pass(3);
    expect(await opened()).toEqual([]);
  });

  it('reads longer spans in points of five minutes', async () => {
    const busy = await reporting(91.5, 300);
    await create({ minutes: 360, condition: 'cpu.min>90 temperature.max<50' });
    await pass();
    expect(await opened()).toEqual([['Busy', busy]]);
  });

  it('opens none for a device that has reported for less than half of the span', async () => {
    await reporting(91.5, 12);
    await create();
    await pass();
    expect(await opened()).toEqual([]);
  });

  it('keeps the alert of a device that stops reporting', async () => {
    const busy = await reporting(91.5);
    await create();
    await pass();
    await pass(180);
    expect(await opened()).toEqual([['Busy', busy]]);
  });

  it('is about the devices of its filter and its account alone', async () => {
    const other = world.matched.account('Other');
    const pump = await reporting(91.5);
    world.matched.devices.get(pump)!.labels = { site: 'north' };
    await reporting(91.5);
    await reporting(91.5, 40, other);
    await create({ filter: 'site=north' });
    await pass();
    expect(await opened()).toEqual([['Busy', pump]]);
    expect((await world.list({}, user(other, Role.OWNER))).alerts ?? []).toEqual([]);
  });

  it('looks again at once when it is changed, keeps its alerts under another name, and closes them when it is disabled', async () => {
    const busy = await reporting(91.5);
    const { id = '' } = await create();
    await pass();
    const change = (rule: object) => rules().update(world.owner(), { id, rule: rule as never });
    await change({ name: 'Very busy' });
    await pass();
    expect(await opened()).toEqual([['Very busy', busy]]);
    expect(await world.changes()).toHaveLength(1);
    await change({ condition: 'cpu.avg>95' });
    await pass();
    expect(await opened()).toEqual([]);
    await change({ condition: 'cpu.avg<95' });
    await pass();
    expect(await opened()).toEqual([['Very busy', busy]]);
    await change({ enabled: false });
    expect(await opened()).toEqual([]);
  });

  it('keeps its alerts until all devices are evaluated after a change', async () => {
    const busy = await reporting(91.5);
    const { id = '' } = await create();
    await pass();
    await rules().update(world.owner(), { id, rule: { condition: 'cpu.avg>95' } as never });
    await world.source.query('ALTER TABLE expression_looks ADD CONSTRAINT none CHECK (false) NOT VALID');
    try {
      await expect(pass()).rejects.toThrow('none');
      expect(await opened()).toEqual([['Busy', busy]]);
    } finally {
      await world.source.query('ALTER TABLE expression_looks DROP CONSTRAINT none');
    }
  });

  it('is previewed with the devices that it holds for now', async () => {
    await reporting(91.5);
    await reporting(20);
    const preview = (rule: object) =>
      world.preview({ accountId: account, rule: { ...BUSY, name: undefined, ...rule } as never });
    expect(await preview({})).toEqual({ matching: 2, now: 1 });
    expect(await preview({ condition: 'cpu.avg>95' })).toEqual({ matching: 2, now: 0 });
    expect(await preview({ filter: 'site=north' })).toEqual({ matching: 0, now: 0 });
    const many = await Promise.all([preview({}), preview({}), preview({})]);
    // One at a time of an account.
    expect(many.filter(({ now }) => now === undefined)).toHaveLength(2);
    await expect(preview({ condition: 'cpu>95' })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('forgets what it found with the device and with the rule', async () => {
    const busy = await reporting(91.5);
    const { id = '' } = await create();
    await pass();
    expect(await world.rows('expression_hits', busy)).toBe(1);
    await rules().delete(world.owner(), { id });
    expect(await world.rows('expression_hits', busy)).toBe(0);
    await world.source.query('DELETE FROM devices WHERE id = $1', [busy]);
    expect(await world.rows('expression_looks', busy)).toBe(0);
  });
});
