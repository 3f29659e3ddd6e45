import { describe, expect, it } from '@jest/globals';
import { spanAfter } from './keys.ts';

const span = { from: 1_000, to: 1_400 };

describe('the keys of a chart', () => {
  it.each([
    ['ArrowLeft', { from: 900, to: 1_300 }],
    ['ArrowRight', { from: 1_100, to: 1_500 }],
    ['+', { from: 1_200, to: 1_400 }],
    ['-', { from: 600, to: 1_400 }],
  ])('%s moves, or zooms with the newest edge in its place', (key, after) => {
    expect(spanAfter(span, key)).toEqual(after);
  });

  it.each([
    ['+', { from: 1_050, to: 1_250 }],
    ['-', { from: 900, to: 1_700 }],
  ])('%s leaves the time under the pointer in its place', (key, after) => {
    expect(spanAfter(span, key, 1_100)).toEqual(after);
  });

  it('show the whole range again by 0, and leave all others alone', () => {
    expect(spanAfter(span, '0')).toBeNull();
    for (const key of ['Tab', 'Enter', 'a', 'ArrowDown']) expect(spanAfter(span, key)).toBeUndefined();
  });

  it('bring a span back by their opposites', () => {
    for (const [there, back] of [
      ['ArrowLeft', 'ArrowRight'],
      ['+', '-'],
    ] as const)
      expect(spanAfter(spanAfter(span, there) ?? span, back)).toEqual(span);
  });
});
