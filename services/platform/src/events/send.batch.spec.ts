import { expect, it } from '@jest/globals';
import { EventRefused } from './event.bus.ts';
import { sendBatch } from './send.batch.ts';

const refused = new EventRefused('no permission');
const late = new Error('timeout');

it.each([
  ['all are published', [undefined, undefined], 2, undefined, false],
  ['some are refused', [undefined, refused], 1, refused, false],
  ['all are refused', [refused, refused], 0, refused, false],
  ['some have no answer', [undefined, late], 1, late, false],
  ['none has an answer', [late, late], 0, late, true],
  ['one is refused and the others have no answer', [refused, late], 0, refused, true],
])('says what became of events: %s', async (_what, outcomes, published, error, down) => {
  const batch = await sendBatch(outcomes, (outcome) => (outcome ? Promise.reject(outcome) : Promise.resolve()));
  expect(batch.published).toHaveLength(published);
  expect([batch.error, batch.down]).toEqual([error, down]);
});
