import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { SeenCalls } from './seen.calls.ts';

const START = 1_800_000_000_000;

describe('calls that were let through', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('are remembered until their deadline, each beside those with other deadlines', () => {
    jest.useFakeTimers({ now: START });
    const seen = new SeenCalls();
    for (const ahead of [5_000, 500, 120_000]) expect(seen.add('gateway', `a${ahead}`, START + ahead)).toBe(true);
    for (const now of [0, 499, 4_999]) {
      jest.setSystemTime(START + now);
      expect(seen.add('gateway', `new${now}`, START + now + 7_000)).toBe(true);
      expect(seen.add('gateway', 'a5000', START + 5_000)).toBe(false);
    }
    jest.setSystemTime(START + 119_999);
    expect(seen.add('gateway', 'a120000', START + 120_000)).toBe(false);
  });

  it('are forgotten after it, and refused while there is no room for more', () => {
    jest.useFakeTimers({ now: START });
    const seen = new SeenCalls();
    const fill = (most: number) => {
      for (let n = 0; n < most; n++) seen.add('gateway', `${Date.now()}-${n}`, Date.now() + 5_000);
    };
    expect(() => fill(1_000_000)).toThrow(expect.objectContaining({ code: 'resource_exhausted' }));
    expect(seen.add('gateway', `${START}-0`, START + 5_000)).toBe(false);
    // One service's calls leave room for another's.
    expect(seen.add('tunnels', 'new', START + 5_000)).toBe(true);
    jest.setSystemTime(START + 6_000);
    expect(() => fill(60_000)).not.toThrow();
  });
});
