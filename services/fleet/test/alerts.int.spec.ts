import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_ALERT_RULES } from '@warren/rules/alerts';
import { Role } from '@warren/proto/common/v1/common';
import { AlertSeverity, AlertState, type ListAlertsRequest } from '@warren/proto/fleet/v1/alerts';
import { AlertPass } from '../src/alerts/pass/alert.pass.ts';
import { AlertRulesService } from '../src/alerts/rules/rules.service.ts';
import { user } from './callers.ts';
import { FleetWorld } from './fleet.world.ts';
import { listAlerts } from './listed.alerts.ts';

// A machine that is busy takes its time.
const MINUTE = 60_000;

/** A row of `alert_changes`. */
interface Change {
  kind: string;
  count: number;
  rule_name: string;
  severity: string;
  alert_ids: string[];
  examples: { alertId: string; deviceId: string; deviceName: string; detail: string }[];
}

describe('alerts', () => {
  let world: FleetWorld;
  let account: string;
  let now: number;

  beforeAll(async () => {
    world = await FleetWorld.start();
  });
  afterAll(() => world?.end());
  beforeEach(() => {
    world.matched.clear();
    account = world.matched.account('Acme');
    now = Date.now();
  });

  const owner = () => user(account, Role.OWNER);
  const rules = () => world.app.get(AlertRulesService);
  const pass = (minutes = 0, app = world.app) => app.get(AlertPass).pass(new Date(now + minutes * MINUTE));
  const list = (more: Partial<ListAlertsRequest> = {}, caller = owner()) => listAlerts(world.app, caller, more);
  const opened = async () => ((await list()).alerts ?? []).map(({ ruleName, deviceId }) => [ruleName, deviceId]);
  const changes = () =>
    world.source.query<Change[]>(
      `SELECT kind, count, rule_name, severity, alert_ids, examples FROM alert_changes WHERE account_id = $1 ORDER BY created_at, id`,
      [account],
    );

  it('has the default rules of an account from its first device on, each once', async () => {
    await pass();
    expect((await rules().list(owner(), { accountId: account })).rules).toEqual([]);
    world.matched.add(account);
    await pass();
    await Promise.all([pass(), pass()]);
    const own = (await rules().list(owner(), { accountId: account })).rules;
    expect(own.map(({ preset }) => preset)).toEqual(DEFAULT_ALERT_RULES.map(({ preset }) => preset));
    expect(own[0]).toMatchObject({ name: 'Offline', minutes: 10, accountName: 'Acme', enabled: true, openAlerts: 0 });
  });

  it('asks one query for all accounts whose rules ask the same', async () => {
    for (const name of ['Beta', 'Gamma', 'Delta']) world.matched.add(world.matched.account(name));
    world.matched.add(account);
    await pass();
    world.matched.asked = [];
    await pass();
    // Nothing is to be asked about disks of which none fills.
    expect(world.matched.asked).toHaveLength(DEFAULT_ALERT_RULES.length - 1);
    for (const { accountIds } of world.matched.asked) expect(accountIds.length).toBeGreaterThanOrEqual(4);
  });

  it('opens one for a device that is lost, and closes it when it is back', async () => {
    const device = world.matched.add(account, { name: 'Pump 4' });
    await pass();
    Object.assign(device, { connected: false, lastSeen: now - 11 * MINUTE });
    await pass();
    await pass();
    const { alerts = [], total } = await list();
    expect(total).toBe(1);
    expect(alerts[0]).toMatchObject({
      ruleName: 'Offline',
      severity: AlertSeverity.CRITICAL,
      deviceId: device.id,
      deviceName: 'Pump 4',
      accountName: 'Acme',
      detail: expect.stringMatching(/^Disconnected since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/) as never,
    });
    device.connected = true;
    await pass(1);
    expect(await opened()).toEqual([]);
    const closed = await list({ state: AlertState.CLOSED });
    expect(closed.alerts?.[0]).toMatchObject({ id: alerts[0]?.id, closedAt: expect.anything() as never });
    expect(await changes()).toMatchObject([
      { kind: 'opened', count: 1, severity: 'critical', rule_name: 'Offline', alert_ids: [alerts[0]?.id] },
      { kind: 'closed', count: 1, severity: 'critical', examples: [{ deviceName: 'Pump 4' }] },
    ]);
  });

  it('opens one for a condition that has held for so long, not for what a device told before it was lost', async () => {
    const [full, lost] = [
      world.matched.add(account, { disk: 93.4 }),
      world.matched.add(account, { disk: 99, connected: false }),
    ];
    await pass();
    await pass(9);
    expect(await opened()).toEqual([]);
    await pass(10);
    expect(await opened()).toEqual([['Disk usage over 90 %', full.id]]);
    expect((await list()).alerts?.[0]).toMatchObject({ detail: 'disk is 93.4 % (disk>90)', value: 93.4 });
    // Lost with a full disk: the alert stays, and the other one does not open.
    Object.assign(full, { connected: false });
    await pass(30);
    expect(await opened()).toEqual([['Disk usage over 90 %', full.id]]);
    Object.assign(full, { connected: true, disk: 40 });
    await pass(31);
    expect(await opened()).toEqual([]);
    expect(lost.connected).toBe(false);
  });

  it('counts from the start when a condition did not hold in between', async () => {
    const device = world.matched.add(account, { disk: 95 });
    await pass();
    device.disk = 50;
    await pass(5);
    device.disk = 95;
    await pass(6);
    await pass(15);
    expect(await opened()).toEqual([]);
    await pass(16);
    expect(await opened()).toHaveLength(1);
  });

  it('opens ones for links that break, updates that fail, and devices that never came', async () => {
    const flapping = world.matched.add(account, { breaks: 6 });
    const failed = world.matched.add(account, { failedUpdate: '0.3.0 failed: no space left' });
    const never = world.matched.add(account, { connected: false, neverSeen: true, created: now - 25 * 60 * MINUTE });
    await pass();
    const { alerts = [] } = await list();
    const said = Object.fromEntries(alerts.map(({ deviceId, ruleName, detail }) => [deviceId, [ruleName, detail]]));
    expect(said).toEqual({
      [flapping.id]: ['Link keeps breaking', 'The link broke 6 times within 60 minutes.'],
      [failed.id]: ['Agent update failed', 'The update to 0.3.0 failed: no space left'],
      [never.id]: ['Never connected', expect.stringContaining('never connected') as never],
    });
  });

  it('closes those of a device that was deleted, or moved into another account', async () => {
    const other = world.matched.account('Beta');
    const [gone, moved] = [0, 1].map(() => world.matched.add(account, { breaks: 9 }));
    await pass();
    expect(await opened()).toHaveLength(2);
    world.matched.devices.delete(gone?.id ?? '');
    Object.assign(moved ?? {}, { account: { id: other, name: 'Beta' } });
    await pass(1);
    expect(await opened()).toEqual([]);
    expect((await list({}, user(other, Role.MEMBER))).alerts).toMatchObject([{ deviceId: moved?.id }]);
  });

  it('leaves all as it is while devices can not be asked', async () => {
    const [open, fresh] = [world.matched.add(account, { breaks: 9 }), world.matched.add(account)];
    await pass();
    world.matched.down = true;
    Object.assign(open, { breaks: 0 });
    Object.assign(fresh, { breaks: 9 });
    await expect(pass(1)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await opened()).toEqual([['Link keeps breaking', open.id]]);
    world.matched.down = false;
    await pass(2);
    expect(await opened()).toEqual([['Link keeps breaking', fresh.id]]);
  });

  it('tells of 10,000 devices that are lost at once in one change, and in one when they are back', async () => {
    const devices = Array.from({ length: 10_000 }, () => world.matched.add(account));
    await pass();
    for (const device of devices) Object.assign(device, { connected: false, lastSeen: now - 11 * MINUTE });
    await pass(1);
    expect(await list({ limit: 1 })).toMatchObject({ total: 10_000 });
    for (const device of devices) device.connected = true;
    await pass(2);
    expect(await list({ limit: 1 })).toMatchObject({ total: 0 });
    const told = await changes();
    expect(told.map(({ kind, count }) => [kind, count])).toEqual([
      ['opened', 10_000],
      ['closed', 10_000],
    ]);
    expect(told[0]?.alert_ids).toHaveLength(50);
    expect(told[0]?.examples).toHaveLength(10);
  });

  it('opens each once with passes at the same time, by two replicas', async () => {
    const replica = await world.replica();
    try {
      for (let i = 0; i < 300; i++) world.matched.add(account, { breaks: 9 });
      await Promise.all([pass(), pass(0, replica), pass(0, replica)]);
      expect(await list({ limit: 1 })).toMatchObject({ total: 300 });
      const told = await changes();
      expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(300);
    } finally {
      await replica.close();
    }
  });

  it('drops closed alerts after 13 months', async () => {
    const device = world.matched.add(account, { breaks: 9 });
    await pass();
    device.breaks = 0;
    await pass(1);
    await world.source.query(
      `UPDATE alerts SET opened_at = now() - interval '14 months', closed_at = now() - interval '12 months'`,
    );
    await pass(2);
    expect(await list({ state: AlertState.CLOSED })).toMatchObject({ total: 1 });
    await world.source.query(`UPDATE alerts SET closed_at = now() - interval '14 months'`);
    await pass(3);
    expect(await list({ state: AlertState.CLOSED })).toMatchObject({ total: 0 });
  });

  it('makes a pass by one replica at a time', async () => {
    const replica = await world.replica();
    try {
      await world.source.query(`UPDATE alert_passes SET started_at = '-infinity', claimed_until = '-infinity'`);
      world.matched.add(account, { breaks: 9 });
      world.matched.asked = [];
      await Promise.all([world.app.get(AlertPass).round(), replica.get(AlertPass).round()]);
      const questions = new Set(world.matched.asked.map(({ condition }) => JSON.stringify(condition)));
      expect(world.matched.asked).toHaveLength(questions.size);
      expect(await opened()).toHaveLength(1);
    } finally {
      await replica.close();
    }
  });

  it('goes on after a process that ended in the middle of a pass', async () => {
    world.matched.add(account, { breaks: 9 });
    await world.source.query(`UPDATE alert_passes SET started_at = '-infinity', claimed_until = '-infinity'`);
    const replica = await world.replica();
    let closing: Promise<void> | undefined;
    world.matched.beforeAnswer = () => {
      closing ??= replica.close();
      return Promise.resolve();
    };
    await replica
      .get(AlertPass)
      .round()
      .catch(() => undefined);
    world.matched.beforeAnswer = () => Promise.resolve();
    await closing;
    await world.source.query(`UPDATE alert_passes SET started_at = '-infinity', claimed_until = '-infinity'`);
    await world.app.get(AlertPass).round();
    expect(await opened()).toHaveLength(1);
    expect(await changes()).toHaveLength(1);
  });
});
