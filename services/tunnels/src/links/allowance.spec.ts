import { describe, expect, it } from '@jest/globals';
import { Allowance } from './allowance.ts';

describe('an allowance', () => {
  it('gives a burst at once, then so many in a second', () => {
    let now = 0;
    const allowance = new Allowance(10, 3, () => now);
    expect([1, 2, 3, 4].map(() => allowance.take())).toEqual([true, true, true, false]);
    now = 200;
    expect([1, 2, 3].map(() => allowance.take())).toEqual([true, true, false]);
  });

  it('does not save up more than its burst', () => {
    let now = 0;
    const allowance = new Allowance(10, 3, () => now);
    allowance.take(3);
    now = 3_600_000;
    expect([1, 2, 3, 4].map(() => allowance.take())).toEqual([true, true, true, false]);
  });
});
