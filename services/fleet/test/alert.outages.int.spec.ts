import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChannelSecrets } from '../src/notifications/channels/channel.secrets.ts';
import { Collector } from '../src/notifications/collecting/collector.ts';
import { DeliveryPublisher } from '../src/notifications/delivery/delivery.publisher.ts';
import { AlertsWorld, MINUTE } from './alerts.world.ts';

describe('alerts', () => {
  const world = new AlertsWorld();
  const { pass, list, changes } = world;
  let account: string;
  let now: number;

  beforeAll(() => world.start());
  afterAll(() => world.end());
  beforeEach(() => {
    ({ account, now } = world.clear());
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

  it('tells of an outage that grows over two passes in one message', async () => {
    // Rounds of the service itself would be in the way.
    await world.app.get(Collector).beforeApplicationShutdown();
    const collector = new Collector(world.source, world.app.get(DeliveryPublisher), world.app.get(ChannelSecrets));
    await world.source.query(
      `INSERT INTO notification_channels (id, account_id, name, kind, addresses, min_severity, after_minutes, recovery, enabled)
       VALUES (gen_random_uuid(), $1, 'team', 'email', '{ada@example.com}', 'info', 0, true, true)`,
      [account],
    );
    const devices = Array.from({ length: 10_000 }, () => world.matched.add(account));
    const lose = (some: typeof devices) =>
      some.forEach((device) => Object.assign(device, { connected: false, lastSeen: now - 11 * MINUTE }));
    const collect = (seconds: number) => collector.round(new Date(now + seconds * 1_000));
    const titles = () =>
      world.source.query<{ title: string }[]>('SELECT title FROM notifications WHERE account_id = $1', [account]);
    /** What the pass found is of its moment, whenever the test comes to it. */
    const found = (seconds: number) =>
      world.source.query('UPDATE alert_changes SET created_at = $2 WHERE account_id = $1 AND taken_at IS NULL', [
        account,
        new Date(now + seconds * 1_000),
      ]);
    await pass();
    lose(devices.slice(0, 6_000));
    await pass();
    await found(0);
    for (const seconds of [1, 31, 44]) await collect(seconds);
    lose(devices);
    await pass(0.5);
    // It came late: there was much to do.
    await found(44);
    for (const seconds of [46, 76, 88]) await collect(seconds);
    expect(await titles()).toEqual([]);
    await collect(90);
    expect(await titles()).toEqual([{ title: 'Critical: Offline, 10000 devices' }]);
  });
});
