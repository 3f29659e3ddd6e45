import { describe, expect, it } from '@jest/globals';
import { smallEnough } from './make.ts';

describe('the size of an image', () => {
  it('may be 250 MB, and is refused above', () => {
    expect(smallEnough('warren/gateway:1', 250e6)).toBe('250 MB');
    expect(() => smallEnough('warren/gateway:1 for arm64', 251e6)).toThrow(
      'warren/gateway:1 for arm64 has 251 MB, expected 250 MB at most',
    );
  });
});
