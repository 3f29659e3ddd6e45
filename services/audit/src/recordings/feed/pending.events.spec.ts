import { expect, it } from '@jest/globals';
import { PendingEvents } from './pending.events.ts';

it('count nothing for sizes that another one replaced', () => {
  const events = new PendingEvents(0, () => 0);
  for (let cols = 1; cols <= 1_000; cols++) events.resize({ cols, rows: 24 });
  events.output(0, Buffer.from('text'));
  expect(events.take()?.events).toEqual([
    expect.objectContaining({ kind: 'resize', cols: 1_000 }),
    expect.objectContaining({ kind: 'output' }),
  ]);
  expect(events.bytes).toBe(0);
});
