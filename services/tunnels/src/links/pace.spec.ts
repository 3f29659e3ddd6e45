import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Pace } from './pace.ts';

function world(perSecond = 100) {
  let now = 5_000;
  const rate = { perSecond };
  const begun: number[] = [];
  const pace = new Pace<number>(
    (item) => begun.push(item),
    () => rate.perSecond,
    () => now,
  );
  const pass = (ms: number) => {
    const end = now + ms;
    while (now < end) {
      now += 100;
      jest.advanceTimersByTime(100);
    }
  };
  return { pace, begun, rate, pass };
}

describe('Pace', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('lets a few begin at once, and spreads many in their order', () => {
    const { pace, begun, pass } = world();
    for (let item = 0; item < 1_000; item++) pace.add(`d${item}`, item);
    expect(begun).toHaveLength(100);
    pass(1_000);
    expect(begun).toHaveLength(200);
    pass(60_000);
    expect(begun).toEqual(Array.from({ length: 1_000 }, (_, item) => item));
  });

  it('is ready again after a while', () => {
    const { pace, begun, pass } = world(10);
    for (let item = 0; item < 50; item++) pace.add(`d${item}`, item);
    pass(60_000);
    pace.add('d50', 50);
    expect(begun).toHaveLength(51);
  });

  it('goes by how fast it may be now', () => {
    const { pace, begun, rate, pass } = world(100);
    for (let item = 0; item < 1_000; item++) pace.add(`d${item}`, item);
    rate.perSecond = 10;
    pass(2_000);
    expect(begun.length).toBeGreaterThanOrEqual(110);
    expect(begun.length).toBeLessThanOrEqual(122);
  });

  it('keeps one for each name, the newest', () => {
    const { pace, begun, pass } = world(10);
    for (let item = 0; item < 20; item++) pace.add(`d${item}`, item);
    pace.add('d15', 99);
    pass(5_000);
    expect(begun).toHaveLength(20);
    expect(begun[15]).toBe(99);
  });
});
