import { describe, expect, it } from '@jest/globals';
import { holdFor } from './pace.ts';

describe('holdFor', () => {
  it('sends keystrokes at once, one right after the other', () => expect(holdFor(1, 65536, 1, 0.1)).toBe(0));
  it('sends the first piece after a silence at once', () => expect(holdFor(4096, 65536, 4096, 40)).toBe(0));
  it('sends a full message at once', () => expect(holdFor(65536, 65536, 65536, 0)).toBe(0));
  it('batches the pieces of a flood', () => {
    expect(holdFor(4096, 65536, 4096, 0.5)).toBe(1.5);
    expect(holdFor(10, 65536, 65536, 1)).toBe(1);
    expect(holdFor(4096, 65536, 10, 1)).toBe(1);
  });
});
