import { expect, it } from '@jest/globals';
import { tooManyFailed } from './rollout.limits.ts';

it.each([
  [2, 2, false],
  [3, 3, true],
  [3, 29, true],
  [3, 30, false],
  [4, 30, true],
])('with %d of %d failed, a rollout stops: %s', (failed, tried, stops) => {
  expect(tooManyFailed(failed, tried)).toBe(stops);
});
