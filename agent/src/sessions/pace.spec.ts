import { describe, expect, it } from '@jest/globals';
import { holdFor } from './pace.ts';

describe('holdFor', () => {
  it('sends a lone keystroke at once', () => expect(holdFor(1, 65536, 40)).toBe(0));
  it('sends a full message at once', () => expect(holdFor(65536, 65536, 0)).toBe(0));
  it('gathers small pieces that follow one another', () => {
    expect(holdFor(4096, 65536, 1)).toBe(2);
    expect(holdFor(4096, 65536, 3)).toBe(0);
  });
});
