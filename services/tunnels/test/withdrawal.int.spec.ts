import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toBinary } from '@bufbuild/protobuf';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { startNats } from '@warren/infra/nats';
import { eventSubject, newEvent } from '@warren/platform/events/event';
import { NatsLink } from '@warren/platform/rpc/nats.connection';
import { EventSchema } from '@warren/proto/events/v1/events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { until } from '@warren/infra/until';
import { Links } from '../src/links/links.ts';
import { World } from './world.ts';

describe('a right that is withdrawn', () => {
  let dir: string;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let world: World;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'warren-withdrawal-'));
    nats = await startNats({ dir });
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: nats.url });
  });
  afterAll(async () => {
    await world?.stop();
    await nats?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it('continues when the device moves to where its user may reach it as well', async () => {
    const device = world.neighbours.device();
    await world.agent(device);
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    const [operatorId, ownId, newAccount] = [uuidv7(), uuidv7(), uuidv7()];
    const token = world.neighbours.token(device.id, operatorId, uuidv7(), { operator: true });
    const operator = world.browser(device.id, { userId: operatorId, token });
    const owner = world.browser(device.id, { userId: ownId, accountId: device.accountId });
    for (const browser of [operator, owner]) {
      browser.socket.emit('register', { cols: 80, rows: 24 });
      await until(() => browser.heard('register_status')?.['success'] === true);
    }
    const kind = { deviceId: device.id, previousAccountId: device.accountId };
    Object.assign(world.neighbours.devices.get(device.id) ?? {}, { accountId: newAccount });
    await world.publish({ case: 'deviceChanged', value: kind } as never);
    await until(() => owner.heard('disconnect') !== undefined, 2_000);
    expect(operator.socket.connected).toBe(true);
    await until(() => world.app.get(Links).get(device.id)?.accountId === newAccount);
    await world.publish({ case: 'accountChanged', value: { accountId: newAccount, active: false } } as never);
    await until(() => operator.heard('disconnect') !== undefined, 2_000);
  });

  it('ends the terminal even when it was withdrawn while this process had lost the bus', async () => {
    const device = world.neighbours.device();
    await world.agent(device);
    await until(() => world.presence(device.id).length > 0);
    const userId = uuidv7();
    const browser = world.browser(device.id, { userId });
    browser.socket.emit('register', { cols: 80, rows: 24 });
    await until(() => browser.heard('register_status')?.['success'] === true);
    const link = world.app.get(NatsLink);
    await nats.kill();
    await until(() => !link.ready);
    await nats.start();
    // Another process is back on the bus before this one.
    const connection = await connect({ servers: nats.url });
    const event = newEvent({ accountId: '', kind: { case: 'userDeleted', value: { userId, email: '' } } });
    await jetstream(connection).publish(eventSubject(event), toBinary(EventSchema, event));
    await connection.close();
    await until(() => browser.heard('disconnect') !== undefined);
    expect(browser.heard('register_status')).toMatchObject({ success: false, error: 'The user is deleted.' });
  });
});
