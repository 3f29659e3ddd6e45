import { describe, expect, it } from '@jest/globals';
import { Backoff, DELETED, parseRetryAfter, REDIAL, REFUSED } from './backoff.ts';

describe('Backoff', () => {
  it('grows to its cap, and resets after progress', () => {
    const backoff = new Backoff(() => 0.999999);
    const waits = Array.from({ length: 18 }, () => Math.round(backoff.next(REDIAL)));
    expect(waits.slice(0, 4)).toEqual([500, 650, 845, 1098]);
    expect(waits.at(-1)).toBe(30_000);
    backoff.reset();
    expect(Math.round(backoff.next(REDIAL))).toBe(500);
  });

  it('spreads a fleet over half of each step', () => {
    const waits = Array.from({ length: 1000 }, () => new Backoff().next(REDIAL));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(250);
    expect(Math.max(...waits)).toBeLessThanOrEqual(500);
    expect(new Set(waits.map(Math.round)).size).toBeGreaterThan(100);
  });

  it.each([0, 0.5, 0.999999])(
    'makes an outage longer by two thirds of it and half a second at most (jitter %d)',
    (jitter) => {
      const backoff = new Backoff(() => jitter);
      for (let at = 0; at < 60_000;) {
        const next = at + backoff.next(REDIAL);
        expect(next - at).toBeLessThanOrEqual((at * 2) / 3 + 500);
        at = next;
      }
    },
  );

  it('waits for Retry-After, not much longer, and up to a limit', () => {
    expect(new Backoff(() => 0).next(REDIAL, 7_000)).toBe(7_000);
    expect(new Backoff(() => 0.999999).next(REDIAL, 8_000)).toBeCloseTo(12_000, 0);
    expect(new Backoff(() => 0).next(REDIAL, 86_400_000)).toBe(300_000);
  });

  it('is long after a refusal', () => {
    expect(new Backoff(() => 0).next(REFUSED)).toBe(7_500);
  });

  it('grows to an hour if the hub no longer knows the device', () => {
    const backoff = new Backoff(() => 0);
    const waits = Array.from({ length: 6 }, () => backoff.next(DELETED) / 60_000);
    expect(waits).toEqual([0.5, 1.5, 4.5, 13.5, 30, 30]);
  });
});

describe('parseRetryAfter', () => {
  it.each([
    ['5', 5_000],
    ['Thu, 01 Jan 1970 00:01:00 GMT', 50_000],
    ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('%s', (header, expected) => expect(parseRetryAfter(header, 10_000)).toBe(expected));
});
