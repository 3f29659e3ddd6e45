import { describe, expect, it } from '@jest/globals';
import { LEASE_MS, LeaseTrust } from './lease-trust.ts';

/** The first moment, in seconds after `from`, at which reads that come every second are believed. */
function believedAfter(trust: LeaseTrust, from: number): number {
  for (let second = 0; second < 60; second++) if (trust.believes(from + second * 1_000)) return second;
  throw new Error('never believed');
}

describe('LeaseTrust', () => {
  const lease = LEASE_MS / 1_000;

  it('believes after one lease period of reads', () => {
    expect(believedAfter(new LeaseTrust(), 0)).toBe(lease);
  });

  it('starts over after a doubt', () => {
    const trust = new LeaseTrust();
    believedAfter(trust, 0);
    expect(trust.believes(5_000)).toBe(true);
    trust.doubt();
    expect(believedAfter(trust, 6_000)).toBe(lease);
  });

  it.each([
    ['everything stood still for a while', 60_000],
    ["the server's clock went back", -60_000],
  ])('starts over when %s', (_what, jump) => {
    const trust = new LeaseTrust();
    believedAfter(trust, 100_000);
    expect(believedAfter(trust, 104_000 + jump)).toBe(lease);
  });
});
