import { describe, expect, it } from '@jest/globals';
import { roundTop, stepPath } from './trend.ts';

const size = { width: 100, height: 10 };

describe('a trend', () => {
  it.each([
    [0, 1],
    [1, 1],
    [3, 5],
    [12, 20],
    [100, 100],
    [101, 200],
    [5001, 10_000],
  ])('of at most %d has a scale up to %d', (most, top) => expect(roundTop(most)).toBe(top));

  it('holds a number until the next one', () => {
    const samples = [
      { at: 0, value: 0 },
      { at: 50, value: 10 },
      { at: 100, value: 5 },
    ];
    expect(stepPath(samples, 0, 100, 10, size)).toBe('M0 10H50V0H100V5');
  });

  it('stays within its frame', () => {
    const samples = [
      { at: -50, value: 3 },
      { at: 150, value: 99 },
    ];
    expect(stepPath(samples, 0, 100, 10, size)).toBe('M0 7H100V0');
  });

  it('is empty below two numbers', () => {
    expect(stepPath([{ at: 0, value: 1 }], 0, 100, 10, size)).toBe('');
  });
});
