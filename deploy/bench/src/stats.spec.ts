import { describe, expect, it } from '@jest/globals';
import { median, percentile } from './stats.ts';

describe('percentile', () => {
  const samples = Array.from({ length: 100 }, (_, index) => 100 - index);

  it('is the nearest rank, whatever the order', () => {
    expect(percentile(samples, 0.5)).toBe(50);
    expect(percentile(samples, 0.99)).toBe(99);
    expect(percentile(samples, 1)).toBe(100);
    expect(median([3])).toBe(3);
  });

  it('refuses to speak of nothing', () => {
    expect(() => percentile([], 0.5)).toThrow('no samples');
  });
});
