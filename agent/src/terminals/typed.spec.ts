import { describe, expect, it } from '@jest/globals';
import { TypedInput } from './typed.ts';

describe('TypedInput', () => {
  it('counts for each screen', () => {
    const typed = new TypedInput();
    typed.add('a', 3);
    typed.add('b', 5);
    typed.add('a', 1);
    expect([typed.of('a'), typed.of('b'), typed.of('c')]).toEqual([4, 5, 0]);
  });

  it('counts nothing for a screen without a name', () => {
    const typed = new TypedInput();
    typed.add('', 3);
    expect(typed.of('')).toBe(0);
  });

  it('forgets the least recent screen beyond the limit', () => {
    const typed = new TypedInput();
    for (let index = 0; index < 16; index++) typed.add(`w${index}`, 1);
    typed.add('w0', 1);
    typed.add('one more', 1);
    expect([typed.of('w0'), typed.of('w1'), typed.of('w2')]).toEqual([2, 0, 1]);
  });
});
