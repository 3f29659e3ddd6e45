import { describe, expect, it } from '@jest/globals';
import { Pace } from './pace.ts';

describe('Pace', () => {
  it('lets a few pass at once, and spreads many', () => {
    const pace = new Pace(100);
    const waits = Array.from({ length: 1_000 }, () => pace.wait(5_000));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(101);
    expect(waits.at(-1)).toBeCloseTo(8_990, 0);
    expect(waits.slice(101).every((wait, index) => wait > (waits[index + 100] ?? 0))).toBe(true);
  });

  it('is ready again after a while', () => {
    const pace = new Pace(10);
    for (let turn = 0; turn < 50; turn++) pace.wait(0);
    expect(pace.wait(0)).toBeGreaterThan(3_000);
    expect(pace.wait(60_000)).toBe(0);
  });
});
