import { describe, expect, it } from '@jest/globals';
import type { Change } from './change.ts';
import { RecentChanges } from './recent.changes.ts';

const change = (id: string): Change => ({ kind: 'device', id, account: 'a1' });

function setUp() {
  const clock = { ms: 1_000_000 };
  return { clock, recent: new RecentChanges(() => clock.ms) };
}

describe('the recent changes', () => {
  it('are those of the time that is asked for', () => {
    const { clock, recent } = setUp();
    clock.ms += 10_000;
    recent.add(change('before'));
    clock.ms += 3_000;
    recent.add(change('since'));
    clock.ms += 1_000;
    expect(recent.missed(2_000)).toEqual([change('since')]);
    expect(recent.missed(4_000)).toEqual([change('before'), change('since')]);
    clock.ms += 60_000;
    expect(recent.missed(1_000)).toEqual([]);
  });

  it('are unknown to a process that began later', () => {
    const { clock, recent } = setUp();
    clock.ms += 10_000;
    expect(recent.missed(9_000)).toEqual([]);
    expect(recent.missed(10_000)).toBeUndefined();
  });

  it('are unknown once something may have passed unheard', () => {
    const { clock, recent } = setUp();
    clock.ms += 60_000;
    recent.add(change('d1'));
    recent.forget();
    expect(recent.missed(0)).toBeUndefined();
    clock.ms += 1_000;
    expect(recent.missed(500)).toEqual([]);
    expect(recent.missed(3_000)).toBeUndefined();
  });

  it('are bounded, and unknown beyond', () => {
    const { clock, recent } = setUp();
    clock.ms += 60_000;
    for (let count = 0; count < 20_000; count++) {
      recent.add(change(`d${count}`));
      clock.ms += 4;
    }
    const latest = recent.missed(5_000);
    expect(latest?.length).toBe(1_250);
    expect(latest?.at(-1)).toEqual(change('d19999'));
    // The latest 4,096 took 16 s, and twice as many are never kept.
    expect(recent.missed(16_000)).toBeDefined();
    expect(recent.missed(33_000)).toBeUndefined();
  });
});
