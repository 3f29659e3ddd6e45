import { expect, it } from '@jest/globals';
import { delayAfter } from './backoff.ts';

it.each([
  [1, 0, 2_000],
  [2, 0, 4_000],
  [8, 0, 256_000],
  [9, 0, 300_000],
  [5_000, 0, 300_000],
  [1, 60_000, 60_000],
  [1, 86_400_000, 900_000],
])('waits after %d failures, asked for %d ms: %d ms', (failures, asked, delay) => {
  expect(delayAfter(failures, asked, () => 0)).toBe(delay);
});

it('spreads attempts over half of the delay', () => {
  expect(delayAfter(3, 0, () => 1)).toBe(4_000);
});
