import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@warren/infra/test-database';
import { until } from '@warren/infra/until';
import { DataSource } from 'typeorm';
import type { EventBus } from '../src/events/event.bus.ts';
import { newEvent } from '../src/events/event.ts';
import { CREATE_OUTBOX, OutboxEntity } from '../src/events/outbox.entity.ts';
import { Outbox } from '../src/events/outbox.ts';

const deleted = (id: string) => newEvent({ accountId: id, kind: { case: 'accountDeleted', value: { accountId: id } } });

let database: TestDatabase;
let source: DataSource;

beforeAll(async () => {
  database = await createTestDatabase('outbox');
  source = await new DataSource({ type: 'postgres', url: database.url, entities: [OutboxEntity] }).initialize();
  await source.query(CREATE_OUTBOX);
});

afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

it('publishes what was committed while it published, without waiting for its next look', async () => {
  const published: string[] = [];
  const gate = Promise.withResolvers<undefined>();
  const publishBytes = async (id: string): Promise<void> => {
    published.push(id);
    await gate.promise;
  };
  // Not started as a part of a process: it never looks by itself.
  const outbox = new Outbox(source, { publishBytes } as unknown as EventBus);
  const [first, second] = [deleted('first'), deleted('second')];
  await outbox.transaction(async (_manager, emit) => emit(first));
  await until(() => published.length === 1);
  await outbox.transaction(async (_manager, emit) => emit(second));
  gate.resolve(undefined);
  await until(() => published.length === 2);
  expect(published).toEqual([first.id, second.id]);
});
