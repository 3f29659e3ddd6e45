import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@warren/infra/test-database';
import { until } from '@warren/infra/until';
import { DataSource } from 'typeorm';
import { EventRefused, type EventBus } from '../src/events/event.bus.ts';
import { newEvent } from '../src/events/event.ts';
import { OutboxEntity } from '../src/events/outbox.entity.ts';
import { CREATE_OUTBOX } from '../src/events/outbox.sql.ts';
import { Outbox, writeWithEvents } from '../src/events/outbox.ts';

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

it('looks seldom for what another process left, each second while something waits, and leaves nothing', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  const looks = jest.spyOn(source, 'transaction');
  const counts = jest.spyOn(source, 'query');
  let away = true;
  const published: string[] = [];
  const publishBytes = async (id: string): Promise<void> => {
    if (away) throw new Error('away');
    published.push(id);
  };
  const outbox = new Outbox(source, { publishBytes } as unknown as EventBus, { name: 'test' });
  outbox.onApplicationBootstrap();
  const seconds = async (count: number): Promise<void> => {
    for (let second = 0; second < count; second++) {
      await jest.advanceTimersByTimeAsync(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  try {
    await seconds(30);
    expect(looks).not.toHaveBeenCalled();
    expect(counts.mock.calls.length).toBeLessThanOrEqual(6);
    const event = deleted('waiting');
    await writeWithEvents(source, async (_manager, emit) => emit(event));
    away = false;
    await until(async () => {
      await seconds(1);
      return published.includes(event.id);
    });
  } finally {
    await outbox.beforeApplicationShutdown();
    looks.mockRestore();
    counts.mockRestore();
    jest.useRealTimers();
  }
});

it('starts what follows a kind of events once they are published, and not for others or when publishing fails', async () => {
  let away = true;
  const publishBytes = async (): Promise<void> => {
    if (away) throw new Error('away');
  };
  const outbox = new Outbox(source, { publishBytes } as unknown as EventBus, { name: 'test' });
  let [started, others] = [0, 0];
  const undo = outbox.afterPublishing('accountDeleted', () => started++);
  outbox.afterPublishing('invitationChanged', () => others++);
  await outbox.transaction(async (_manager, emit) => emit(deleted('one')));
  await outbox.beforeApplicationShutdown();
  expect(started).toBe(0);
  away = false;
  await outbox.transaction(async (_manager, emit) => ['two', 'three'].forEach((id) => emit(deleted(id))));
  await outbox.beforeApplicationShutdown();
  expect([started, others]).toEqual([1, 0]);
  undo();
  await outbox.transaction(async (_manager, emit) => emit(deleted('four')));
  await outbox.beforeApplicationShutdown();
  expect(started).toBe(1);
});

it('looks for nothing after a transaction without events', async () => {
  const outbox = new Outbox(source, { publishBytes: async () => {} } as unknown as EventBus, { name: 'test' });
  const transactions = jest.spyOn(source, 'transaction');
  await outbox.transaction(async () => {});
  expect(transactions).toHaveBeenCalledTimes(1);
  transactions.mockRestore();
});

it('publishes what was committed while it published, without waiting for its next look', async () => {
  const published: string[] = [];
  const gate = Promise.withResolvers<undefined>();
  const publishBytes = async (id: string): Promise<void> => {
    published.push(id);
    await gate.promise;
  };
  // Not started as a part of a process: it never looks by itself.
  const outbox = new Outbox(source, { publishBytes } as unknown as EventBus, { name: 'test' });
  const [first, second] = [deleted('first'), deleted('second')];
  await outbox.transaction(async (_manager, emit) => emit(first));
  await until(() => published.length === 1);
  await outbox.transaction(async (_manager, emit) => emit(second));
  gate.resolve(undefined);
  await until(() => published.length === 2);
  expect(published).toEqual([first.id, second.id]);
});

describe('a batch of events', () => {
  const events = ['a', 'b', 'c', 'd', 'e'].map(deleted);
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const ids = idsOf(events);
  const waiting = async () => idsOf(await source.query<{ id: string }[]>('SELECT id FROM outbox ORDER BY id'));
  const write = () => writeWithEvents(source, async (_manager, emit) => events.forEach(emit));
  const outboxOf = (publishBytes: (id: string) => Promise<void>) =>
    new Outbox(source, { publishBytes } as unknown as EventBus, { name: 'test' });

  it('is sent in its order, without waiting for each answer', async () => {
    const sent: string[] = [];
    const gate = Promise.withResolvers<undefined>();
    const outbox = outboxOf(async (id) => {
      sent.push(id);
      await gate.promise;
    });
    await write();
    const published = outbox.published();
    await until(() => sent.length === events.length);
    expect(sent).toEqual(ids);
    expect(await waiting()).toEqual(ids);
    gate.resolve(undefined);
    await published;
    expect(await waiting()).toEqual([]);
  });

  it('repeats the events alone that were refused', async () => {
    const sent: string[] = [];
    const refused = [ids[1], ids[3]];
    let followed = 0;
    const outbox = outboxOf(async (id) => {
      sent.push(id);
      if (refused.includes(id)) throw new Error('refused');
    });
    outbox.afterPublishing('accountDeleted', () => followed++);
    await write();
    await outbox.published();
    expect(sent).toEqual(ids);
    expect(await waiting()).toEqual(refused);
    expect(followed).toBe(1);
    const repeated = [...refused];
    refused.length = 0;
    await outbox.published();
    expect(sent).toEqual([...ids, ...repeated]);
    expect(await waiting()).toEqual([]);
  });

  it('does not keep those that wait for it while the bus is away', async () => {
    let away = true;
    const outbox = outboxOf(async () => {
      if (away) throw new Error('away');
    });
    await write();
    await outbox.published();
    expect(await waiting()).toEqual(ids);
    away = false;
    await outbox.published();
    expect(await waiting()).toEqual([]);
  });

  it('is not held back by any number of events that are always refused', async () => {
    const refused = Array.from({ length: 250 }, (_, at) => deleted(`refused-${at}`));
    const refusedIds = new Set(idsOf(refused));
    let attempts = 0;
    const outbox = outboxOf(async (id) => {
      if (!refusedIds.has(id)) return;
      attempts++;
      throw new EventRefused(undefined);
    });
    await writeWithEvents(source, async (_manager, emit) => [...refused, deleted('behind')].forEach(emit));
    await outbox.published();
    expect(await waiting()).toEqual([...refusedIds]);
    expect(attempts).toBe(refused.length);
    await outbox.transaction(async (_manager, emit) => emit(deleted('later')));
    await outbox.published();
    expect(await waiting()).toEqual([...refusedIds]);
    refusedIds.clear();
    await outbox.published();
    expect(await waiting()).toEqual([]);
  });

  it('is the last one that is sent while the bus is away, so that events stay in order', async () => {
    let attempts = 0;
    const many = Array.from({ length: 150 }, (_, at) => deleted(`away-${at}`));
    const outbox = outboxOf(async () => {
      attempts++;
      throw new Error('away');
    });
    await writeWithEvents(source, async (_manager, emit) => many.forEach(emit));
    await outbox.published();
    expect(attempts).toBe(100);
    await source.query('DELETE FROM outbox');
  });
});
