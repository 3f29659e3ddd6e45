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

  it('ends the terminal even when it was withdrawn while this process had lost the bus', async () => {
    const device = world.neighbours.device();
    await world.agent(device);
    await until(() => world.presence(device.id).length === 1);
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
  }, 60_000);
});
