import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { v7 as uuidv7 } from 'uuid';
import type { AlertChange } from '../src/notifications/collecting/collector.sql.ts';
import type { Content } from '../src/notifications/formats/content.ts';
import { user } from './callers.ts';
import { MINUTE, NotifyWorld } from './notify.world.ts';

// A machine that is busy takes its time.
/** In the future, so that the service's own rounds leave it alone. */
const NOON = new Date('2049-03-27T12:00:00Z');
const after = (minutes: number, from = NOON) => new Date(from.getTime() + minutes * MINUTE);
const BERLIN = { from: '22:00', to: '06:00', zone: 'Europe/Berlin', exceptCritical: true };

interface Made {
  title: string;
  severity: string;
  content: Content;
  created_at: Date;
}

describe('notifications are made', () => {
  let world: NotifyWorld;
  let account: string;
  let owner: Caller;
  beforeAll(async () => {
    world = await NotifyWorld.start();
  });
  afterAll(() => world?.end());
  beforeEach(() => {
    account = world.account();
    owner = user(account, Role.OWNER);
  });

  const made = (channelId: string) =>
    world.source.query<Made[]>(
      'SELECT title, severity, content, created_at FROM notifications WHERE channel_id = $1 ORDER BY id',
      [channelId],
    );
  const titles = async (channelId: string) => (await made(channelId)).map(({ title }) => title);
  const opened = (init: Partial<AlertChange> = {}) => world.alerts(account, { created_at: NOON, ...init });

  it('one for each rule, joined until nothing came for 45 seconds', async () => {
    const { id } = await world.channel(owner);
    const { rule_id } = await opened({ count: 3 });
    await opened({ rule_id, count: 4, created_at: after(0.25) });
    await opened({ rule_name: 'Offline', severity: 'critical' });
    await world.collect(after(0.25));
    expect(await titles(id)).toEqual([]);
    await world.collect(after(0.9));
    expect(await titles(id)).toEqual(['Critical: Offline, kiosk-7']);
    await world.collect(after(1));
    expect(new Set(await titles(id))).toEqual(
      new Set(['Warning: Disk almost full, 7 devices', 'Critical: Offline, kiosk-7']),
    );
  });

  it('of what keeps growing one after 2 minutes, and one of the rest', async () => {
    const { id } = await world.channel(owner);
    const { rule_id } = await opened({ count: 10 });
    for (const minutes of [0.5, 1, 1.5, 2.5]) {
      await world.collect(after(minutes));
      expect(await titles(id)).toHaveLength(minutes > 2 ? 1 : 0);
      await opened({ rule_id, count: 10, created_at: after(minutes) });
    }
    await world.collect(after(7.5));
    expect(await titles(id)).toEqual([
      'Warning: Disk almost full, 40 devices',
      'Warning: Disk almost full, 10 devices',
    ]);
  });

  it('of 10,000 devices one, with at most 10 examples', async () => {
    const { id } = await world.channel(owner);
    const examples = Array.from({ length: 10 }, (_, at) => ({
      alertId: uuidv7(),
      deviceId: uuidv7(),
      deviceName: `kiosk-${at}`,
      detail: '',
    }));
    const { rule_id } = await opened({ count: 9_000, examples });
    await opened({ rule_id, count: 1_000, examples });
    await world.collect(after(1));
    const [only, ...others] = await made(id);
    expect(others).toEqual([]);
    expect(only?.title).toBe('Warning: Disk almost full, 10000 devices');
    expect(only?.content.groups[0]?.examples).toHaveLength(10);
  });

  it('5 minutes apart for one rule, recovery included', async () => {
    const { id } = await world.channel(owner);
    const { rule_id } = await opened();
    await world.collect(after(1));
    await opened({ rule_id, count: 2, created_at: after(2) });
    await opened({ rule_id, kind: 'closed', count: 3, created_at: after(3) });
    await world.collect(after(5));
    expect(await titles(id)).toEqual(['Warning: Disk almost full, kiosk-7']);
    await world.collect(after(6));
    expect(await titles(id)).toEqual([
      'Warning: Disk almost full, kiosk-7',
      'Disk almost full: 2 alerts opened, 3 resolved',
    ]);
  });

  it('for alerts that are bad enough, and of recovery only where it is wanted', async () => {
    const { id: all } = await world.channel(owner, { minSeverity: 'warning' });
    const { id: bad } = await world.channel(owner, { minSeverity: 'critical', recovery: false });
    const { id: disabled } = await world.channel(owner, { enabled: false });
    await opened({ severity: 'info', rule_name: 'Never seen' });
    await opened({ severity: 'warning', rule_name: 'Hot' });
    await opened({ severity: 'critical', rule_name: 'Offline' });
    await opened({ severity: 'critical', rule_name: 'Offline again', kind: 'closed' });
    await world.collect(after(1));
    expect(new Set(await titles(all))).toEqual(
      new Set(['Warning: Hot, kiosk-7', 'Critical: Offline, kiosk-7', 'Resolved: Offline again, kiosk-7']),
    );
    expect(await titles(bad)).toEqual(['Critical: Offline, kiosk-7']);
    expect(await titles(disabled)).toEqual([]);
  });

  it("for no other account's channels", async () => {
    const { id } = await world.channel(user(world.account(), Role.OWNER));
    await opened();
    await world.collect(after(1));
    expect(await titles(id)).toEqual([]);
  });

  describe('around quiet hours', () => {
    /** 22:00 in Berlin, before the night whose clocks go forward. */
    const NIGHT = new Date('2049-03-27T21:00:00Z');
    const MORNING = new Date('2049-03-28T04:00:00Z');

    it('as one summary at their end, an hour earlier when the clocks go forward', async () => {
      const { id } = await world.channel(owner, { quiet: BERLIN });
      await opened({ created_at: NIGHT, count: 2 });
      await opened({ created_at: after(30, NIGHT), rule_name: 'Hot' });
      await world.collect(after(1, NIGHT));
      await world.collect(after(31, NIGHT));
      await opened({ created_at: after(60, NIGHT), rule_name: 'Hot', kind: 'closed' });
      await world.collect(after(-1, MORNING));
      expect(await titles(id)).toEqual([]);
      await world.collect(MORNING);
      const [only, ...others] = await made(id);
      expect(others).toEqual([]);
      expect(only).toMatchObject({ title: 'Summary: 3 alerts opened, 1 resolved', content: { reason: 'quiet' } });
      expect(only?.content.groups).toHaveLength(3);
    });

    it('at once for critical alerts, unless these rest as well', async () => {
      const { id: loud } = await world.channel(owner, { quiet: BERLIN });
      const { id: silent } = await world.channel(owner, { quiet: { ...BERLIN, exceptCritical: false } });
      await opened({ created_at: NIGHT, severity: 'critical' });
      await opened({ created_at: NIGHT, rule_name: 'Hot' });
      await world.collect(after(1, NIGHT));
      expect(await titles(loud)).toEqual(['Critical: Disk almost full, kiosk-7']);
      expect(await titles(silent)).toEqual([]);
      await world.collect(MORNING);
      expect(await titles(loud)).toEqual(['Critical: Disk almost full, kiosk-7', 'Warning: Hot, kiosk-7']);
      expect(await titles(silent)).toEqual(['Summary: 2 alerts opened']);
    });

    it('by the present ones after a change', async () => {
      const { id } = await world.channel(owner, { quiet: BERLIN });
      await opened({ created_at: NIGHT });
      await world.collect(after(1, NIGHT));
      await world.change(owner, { id, clearQuiet: true });
      await world.collect(after(2, NIGHT));
      expect(await titles(id)).toEqual(['Warning: Disk almost full, kiosk-7']);
    });
  });

  describe('with escalation', () => {
    /** Alerts as they are in the table, of one rule. */
    const alerts = async (count: number, init: { opened_at?: Date } = {}) => {
      const rule_id = uuidv7();
      const ids = Array.from({ length: count }, () => uuidv7());
      const at = init.opened_at ?? NOON;
      for (const id of ids)
        await world.source.query(
          `INSERT INTO alerts (id, account_id, rule_id, rule_name, kind, severity, device_id, device_name, opened_at)
           VALUES ($1, $2, $3, 'Offline', 'offline', 'critical', $4, 'kiosk', $5)`,
          [id, account, rule_id, uuidv7(), at],
        );
      const examples = ids.map((alertId) => ({
        alertId,
        deviceId: uuidv7(),
        deviceName: `device of ${alertId}`,
        detail: '',
      }));
      return { rule_id, alert_ids: ids, examples, count, rule_name: 'Offline' };
    };
    const set = (id: string | undefined, what: string, at: Date) =>
      world.source.query(`UPDATE alerts SET ${what} WHERE id = $1`, [id, at]);

    it('only of alerts that are still open and unacknowledged', async () => {
      const { id } = await world.channel(owner, { afterMinutes: 15 });
      const change = await alerts(3);
      const [closed, acknowledged, left] = change.alert_ids;
      await opened(change);
      await world.collect(after(10));
      await set(closed, `state = 'closed', closed_at = $2`, after(5));
      await set(acknowledged, 'acknowledged_at = $2', after(5));
      await world.collect(after(15));
      expect(await titles(id)).toEqual([]);
      await world.collect(after(16));
      expect(await titles(id)).toEqual([`Critical: Offline, device of ${left}`.replace('Critical', 'Warning')]);
    });

    it('as one of those that opened over two minutes', async () => {
      const { id } = await world.channel(owner, { afterMinutes: 15 });
      const [first, second] = [await alerts(2), await alerts(1, { opened_at: after(1) })];
      await opened(first);
      await opened({ ...second, rule_id: first.rule_id, created_at: after(1) });
      await world.collect(after(16));
      expect(await titles(id)).toEqual([]);
      await world.collect(after(17));
      expect(await titles(id)).toEqual(['Warning: Offline, 3 devices']);
    });

    it('and of none that closed before', async () => {
      const { id } = await world.channel(owner, { afterMinutes: 15 });
      const change = await alerts(1);
      await opened(change);
      await set(change.alert_ids[0], `state = 'closed', closed_at = $2`, after(5));
      await opened({ ...change, kind: 'closed', created_at: after(5) });
      await world.collect(after(30));
      expect(await titles(id)).toEqual([]);
    });

    it('of recovery, if it was announced', async () => {
      const { id } = await world.channel(owner, { afterMinutes: 15 });
      const change = await alerts(1);
      await opened(change);
      await world.collect(after(16));
      await set(change.alert_ids[0], `state = 'closed', closed_at = $2`, after(40));
      await opened({ ...change, kind: 'closed', created_at: after(40) });
      await world.collect(after(41));
      expect(await titles(id)).toHaveLength(2);
      expect((await titles(id))[1]).toMatch(/^Resolved: Offline/);
    });
  });

  it('120 at most for an account in an hour; the others are one summary', async () => {
    const { id } = await world.channel(owner);
    for (let rule = 0; rule < 130; rule++) await opened({ rule_name: `Rule ${rule}` });
    await world.collect(after(1));
    expect(await titles(id)).toHaveLength(120);
    await world.collect(after(60));
    expect(await titles(id)).toHaveLength(120);
    await world.collect(after(61));
    const all = await made(id);
    expect(all).toHaveLength(121);
    expect(all.at(-1)).toMatchObject({
      title: 'Summary: 10 alerts opened',
      content: { reason: 'limit', omitted: 0 },
    });
  });

  it('120 at most, also when the channel that got them is deleted', async () => {
    const { id: first } = await world.channel(owner);
    for (let rule = 0; rule < 120; rule++) await opened({ rule_name: `Rule ${rule}` });
    await world.collect(after(1));
    expect(await titles(first)).toHaveLength(120);
    await world.channels.delete(owner, { id: first });
    const { id } = await world.channel(owner);
    await opened();
    await world.collect(after(2));
    expect(await titles(id)).toEqual([]);
  });

  it('of all other channels when one fails', async () => {
    const { id: broken } = await world.channel(owner, { quiet: BERLIN });
    const { id } = await world.channel(owner);
    // Quiet hours that never end, which nobody can set.
    const quiet = JSON.stringify({ from: '00:00', to: '24:00', zone: 'UTC' });
    await world.source.query('UPDATE notification_channels SET quiet = $2 WHERE id = $1', [broken, quiet]);
    await opened();
    await world.collect(after(1));
    expect(await titles(id)).toEqual(['Warning: Disk almost full, kiosk-7']);
    expect(await titles(broken)).toEqual([]);
  });

  it('once, however many replicas are at it', async () => {
    const { id } = await world.channel(owner);
    const other = await world.replica();
    const { Collector } = await import('../src/notifications/collecting/collector.ts');
    for (let rule = 0; rule < 20; rule++) await opened({ rule_name: `Rule ${rule}` });
    await Promise.all([
      world.collect(after(1)),
      other.get(Collector).round(after(1)),
      other.get(Collector).round(after(1)),
    ]);
    await world.collect(after(1));
    expect(await titles(id)).toHaveLength(20);
  });
});
