import { describe, expect, it } from '@jest/globals';
import { delayAfter } from './backoff.ts';

describe('delayAfter', () => {
  it('doubles from 1 s to 30 s, by up to a tenth less', () => {
    expect([1, 2, 3, 5, 6, 2_000].map((attempts) => delayAfter(attempts, 0, () => 0))).toEqual([
      1_000, 2_000, 4_000, 16_000, 30_000, 30_000,
    ]);
    expect(delayAfter(1, 0, () => 1)).toBe(900);
  });

  it('is at least what the receiver asks for, up to 5 minutes', () => {
    expect(delayAfter(1, 12_000)).toBe(12_000);
    expect(delayAfter(1, 3_600_000)).toBe(300_000);
  });
});
