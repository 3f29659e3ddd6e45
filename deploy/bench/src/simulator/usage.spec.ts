import { describe, expect, it } from '@jest/globals';
import { usageAfter } from './usage.ts';

const NOW = 1_800_000_030;
const MINUTE = 1_800_000_000;
const times = (stored: number, limit = 10) => usageAfter(stored, limit, NOW).samples.map(({ time }) => MINUTE - time);

describe('usageAfter', () => {
  it('gives a sample for each minute after the newest that is stored', () => {
    expect(times(MINUTE - 180)).toEqual([120, 60, 0]);
    expect(times(MINUTE)).toEqual([]);
  });

  it('begins with the last two minutes', () => {
    expect(times(0)).toEqual([60, 0]);
  });

  it('gives no more than asked for, oldest first, and says if more remain', () => {
    expect(times(MINUTE - 300, 2)).toEqual([240, 180]);
    expect(usageAfter(MINUTE - 300, 2, NOW).more).toBe(true);
    expect(usageAfter(MINUTE - 120, 2, NOW).more).toBe(false);
  });
});
