import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import { createTestDatabase, type TestDatabase } from '@warren/infra/test-database';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DatabaseModule } from '../src/database/database.module.ts';
import { migrate } from '../src/database/migrate.ts';
import { newEvent } from '../src/events/event.ts';
import { EventBus } from '../src/events/event.bus.ts';
import { EventConsumer } from '../src/events/event.consumer.ts';
import { Outbox } from '../src/events/outbox.ts';
import { OutboxEntity } from '../src/events/outbox.entity.ts';
import { CREATE_OUTBOX } from '../src/events/outbox.sql.ts';
import { registry } from '../src/telemetry/metrics.ts';
import { startProcess } from './process.ts';
import { until } from '@warren/infra/until';

class CreateOutbox1763600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CREATE_OUTBOX);
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outbox');
  }
}

const deleted = (id: string) => newEvent({ accountId: id, kind: { case: 'accountDeleted', value: { accountId: id } } });

describe('events', () => {
  let dir: string;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let database: TestDatabase;
  let publisher: INestApplicationContext;
  let consumer: INestApplicationContext | undefined;
  const seen: string[] = [];

  const startConsumer = () =>
    startProcess('devices', nats.url, (app) =>
      app.get(EventConsumer).on('accountDeleted', async (_event, { accountId }) => {
        seen.push(accountId);
        if (accountId === 'fails-once' && seen.filter((id) => id === accountId).length === 1)
          throw new Error('not yet');
      }),
    );

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'warren-events-'));
    nats = await startNats({ dir });
    database = await createTestDatabase('events');
    const options = {
      name: 'events',
      url: database.url,
      pool: 3,
      entities: [OutboxEntity],
      migrations: [CreateOutbox1763600000000],
    };
    await migrate(options);
    expect(await migrate(options)).toEqual([]);
    publisher = await startProcess('tenancy', nats.url, undefined, {
      imports: [DatabaseModule.forRoot(options)],
      outbox: Outbox,
    });
    consumer = await startConsumer();
  });

  afterAll(async () => {
    await consumer?.close();
    await publisher?.close();
    await nats?.stop();
    await database?.drop();
    await rm(dir, { recursive: true, force: true });
  });

  it('reach a durable consumer, once for each id', async () => {
    const event = deleted('one');
    // While the other process adds the same stream, NATS may answer before the stream listens: publishers try again.
    await until(async () => {
      await publisher.get(EventBus).publish(event);
      return true;
    });
    await publisher.get(EventBus).publish(event);
    await publisher.get(EventBus).publish(deleted('two'));
    await until(() => seen.includes('two'));
    expect(seen.filter((id) => id === 'one')).toHaveLength(1);
  });

  it('take room in a stream, which is measured beside its limit', async () => {
    const figure = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
    await until(async () => (await figure('warren_event_stream_bytes')) > 0, 30_000);
    expect(await figure('warren_event_stream_max_bytes')).toBe(2 ** 30);
  });

  it('come again when the handler failed', async () => {
    await publisher.get(EventBus).publish(deleted('fails-once'));
    await until(() => seen.filter((id) => id === 'fails-once').length === 2);
  });

  it('wait for a consumer that was down', async () => {
    await consumer?.close();
    await publisher.get(EventBus).publish(deleted('while-down'));
    expect(seen).not.toContain('while-down');
    consumer = await startConsumer();
    await until(() => seen.includes('while-down'));
  });

  it('are not published when the transaction fails', async () => {
    const failing = publisher.get(Outbox).transaction(async (_manager, emit) => {
      emit(deleted('rolled-back'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await publisher.get(Outbox).transaction(async (_manager, emit) => emit(deleted('after')));
    await until(() => seen.includes('after'));
    expect(seen).not.toContain('rolled-back');
  });

  it('committed while NATS was down are published when it is back', async () => {
    await nats.kill();
    await publisher.get(Outbox).transaction(async (_manager, emit) => emit(deleted('bus-down')));
    await nats.start();
    await until(() => seen.includes('bus-down'), 20_000);
  });

  it('pass a listener in the same process as they happen', async () => {
    const heard: string[] = [];
    const undo = publisher.get(EventBus).listen((event) => heard.push(event.accountId));
    await publisher.get(EventBus).publish(deleted('heard'));
    await until(() => heard.includes('heard'));
    undo();
    await publisher.get(EventBus).publish(deleted('unheard'));
    await until(() => seen.includes('unheard'));
    expect(heard).not.toContain('unheard');
  });

  it('continue when a listener throws', async () => {
    const heard: string[] = [];
    const undo = publisher.get(EventBus).listen((event) => {
      heard.push(event.accountId);
      throw new Error('a listener of no use');
    });
    await publisher.get(EventBus).publish(deleted('throws'));
    await publisher.get(Outbox).transaction(async (_manager, emit) => emit(deleted('after-throw')));
    await until(() => heard.includes('after-throw') && seen.includes('after-throw'));
    undo();
  });
});
