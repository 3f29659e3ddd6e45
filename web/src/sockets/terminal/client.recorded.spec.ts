import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { setUp, settle } from '../../testing/terminal-client.ts';
import type { SessionRecording } from '../recording.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const mark = { recorded: true, mode: 'required', since: 1, state: 'recording', reason: '' };

it('says how a terminal is recorded, and forgets it with the terminal', async () => {
  const t = setUp();
  const seen: (SessionRecording | null)[] = [];
  t.client.subscribe('recording', (one) => seen.push(one));
  await t.open();
  t.wire.last().hear('recording', mark);
  t.wire.last().hear('recording', { ...mark, state: 'waiting', reason: 'The store is full.' });
  t.wire.last().hear('recording', { recorded: false, mode: 'best_effort', state: 'unsupported', reason: 'Too old.' });
  t.wire.last().hear('recording', { ...mark, state: 'something new' });
  expect(seen).toEqual([
    null,
    { mode: 'required', state: 'recording', reason: '' },
    { mode: 'required', state: 'waiting', reason: 'The store is full.' },
    { mode: 'best_effort', state: 'unsupported', reason: 'Too old.' },
    null,
  ]);
});

it('says why there is no new terminal without a recorder, and tries again for one that runs', async () => {
  const refusal = { success: false, code: 'unrecorded', error: 'Nothing can be recorded.' };
  const fresh = setUp();
  fresh.client.connect();
  await settle();
  fresh.wire.last().hear('connect');
  fresh.wire.last().hear('register_status', refusal);
  expect(fresh.client.status).toMatchObject({ state: 'fail', reason: 'Nothing can be recorded.' });
  expect(fresh.client.status.retryAt).toBeUndefined();

  const running = setUp();
  await running.open();
  running.wire.last().hear('disconnect');
  for (let tries = 0; tries < 5; tries++) {
    await running.nextTry();
    running.wire.last().hear('connect');
    running.wire.last().hear('register_status', refusal);
  }
  await running.nextTry();
  running.accept('s1', 0);
  expect(running.client.status.state).toBe('connected');
});
