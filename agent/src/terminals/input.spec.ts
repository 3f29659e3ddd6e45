import { describe, expect, it } from '@jest/globals';
import { TypedInput } from './input.ts';

describe('TypedInput', () => {
  it('counts for each screen', () => {
    const typed = new TypedInput();
    typed.set('a', 3);
    typed.set('b', 5);
    typed.set('a', 4);
    expect([typed.of('a'), typed.of('b'), typed.of('c')]).toEqual([4, 5, 0]);
  });

  it('counts nothing for a screen without a name', () => {
    const typed = new TypedInput();
    typed.set('', 3);
    expect(typed.of('')).toBe(0);
  });

  it('forgets the least recent screen beyond the limit', () => {
    const typed = new TypedInput();
    for (let index = 0; index < 16; index++) typed.set(`w${index}`, 1);
    typed.set('w0', 2);
    typed.set('one more', 1);
    expect([typed.of('w0'), typed.of('w1'), typed.of('w2')]).toEqual([2, 0, 1]);
  });
});
