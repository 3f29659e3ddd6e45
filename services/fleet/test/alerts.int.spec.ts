import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_ALERT_RULES } from '@warren/rules/alerts';
import { Role } from '@warren/proto/common/v1/common';
import { AlertSeverity, AlertState } from '@warren/proto/fleet/v1/alerts';
import { AlertsWorld, MINUTE } from './alerts.world.ts';
import { user } from './callers.ts';

describe('alerts', () => {
  const world = new AlertsWorld();
  const { owner, rules, pass, list, opened, changes } = world;
  let account: string;
  let now: number;

  beforeAll(() => world.start());
  afterAll(() => world.end());
  beforeEach(() => {
    ({ account, now } = world.clear());
  });

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

  it('opens ones for a wrong clock and for a bulk job that failed, and closes them', async () => {
    const device = world.matched.add(account, { clockOffset: -95, failedJob: 'reboot: The device is not connected.' });
    await pass();
    expect(await opened()).toEqual([['Bulk job failed', device.id]]);
    expect((await list()).alerts?.[0]?.detail).toBe('A bulk job failed: reboot: The device is not connected.');
    await pass(10);
    const { alerts = [] } = await list();
    expect(new Map(alerts.map(({ ruleName, detail }) => [ruleName, detail])).get('Clock off by more than 60 s')).toBe(
      'clock is 95 s (clock>60s)',
    );
    Object.assign(device, { clockOffset: 1, failedJob: '' });
    await pass(11);
    expect(await opened()).toEqual([]);
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
});
