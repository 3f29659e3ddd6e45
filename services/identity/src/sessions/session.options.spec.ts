import { describe, expect, it } from '@jest/globals';
import { isTouchDue, timeLeft } from './session.options.ts';

const HOUR = 3_600_000;
const OPTIONS = { idleMs: 8 * HOUR, absoluteMs: 24 * HOUR };

describe('timeLeft', () => {
  it('is the idle time while the absolute end is far', () => {
    expect(timeLeft(OPTIONS, 0, HOUR)).toBe(8 * HOUR);
  });
  it('never reaches beyond the absolute end', () => {
    expect(timeLeft(OPTIONS, 0, 20 * HOUR)).toBe(4 * HOUR);
    expect(timeLeft(OPTIONS, 0, 25 * HOUR)).toBeLessThan(0);
  });
});

describe('isTouchDue', () => {
  it('is so once in a minute of use', () => {
    expect(isTouchDue(OPTIONS, 8 * HOUR - 59_000, 8 * HOUR)).toBe(false);
    expect(isTouchDue(OPTIONS, 8 * HOUR - 61_000, 8 * HOUR)).toBe(true);
  });
  it('is so more often for a very short idle time', () => {
    expect(isTouchDue({ idleMs: 1_000, absoluteMs: HOUR }, 890, 1_000)).toBe(true);
    expect(isTouchDue({ idleMs: 1_000, absoluteMs: HOUR }, 910, 1_000)).toBe(false);
  });
});
