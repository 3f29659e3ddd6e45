import { expect, it } from '@jest/globals';
import { ATTEMPTS, delayAfter } from './backoff.ts';

const all = (random: () => number) =>
  Array.from({ length: ATTEMPTS - 1 }, (_, made) => delayAfter(made + 1, 0, random)).reduce((sum, one) => sum + one, 0);

it('spreads 10 attempts over about a day', () => {
  const hour = 3_600_000;
  expect(all(() => 0) / hour).toBeCloseTo(24.5, 0);
  expect(all(() => 1) / hour).toBeGreaterThan(21);
});

it('waits as long as the receiver asks for, up to a day', () => {
  expect(delayAfter(1, 0, () => 0)).toBe(30_000);
  expect(delayAfter(1, 120_000, () => 0)).toBe(120_000);
  expect(delayAfter(9, 1_000, () => 0)).toBeGreaterThan(14 * 3_600_000);
  expect(delayAfter(1, 10 * 24 * 3_600_000, () => 0)).toBe(24 * 3_600_000);
});
