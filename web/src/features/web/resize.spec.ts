import { describe, expect, it } from '@jest/globals';
import { resizeHeight } from './resize.ts';

describe('a resize message', () => {
  it('tells the height, bounded', () => {
    expect(resizeHeight({ type: 'resize', height: 480.2 })).toBe(481);
    expect(resizeHeight({ type: 'resize', height: 1e9 })).toBe(20_000);
  });

  it.each([
    null,
    'resize',
    {},
    { type: 'other', height: 5 },
    { type: 'resize' },
    { type: 'resize', height: '5' },
    { type: 'resize', height: -5 },
    { type: 'resize', height: Number.NaN },
  ])('is not %j', (data) => expect(resizeHeight(data)).toBeUndefined());
});
