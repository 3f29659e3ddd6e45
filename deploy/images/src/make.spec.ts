import { describe, expect, it } from '@jest/globals';
import { smallEnough } from './make.ts';

describe('the size of an image', () => {
  it('may be 250 MB, and is refused above', () => {
    expect(smallEnough('gateway', 'warren/gateway:1', 250e6)).toBe('250 MB');
    expect(() => smallEnough('gateway', 'warren/gateway:1 for arm64', 251e6)).toThrow(
      'warren/gateway:1 for arm64 has 251 MB, expected 250 MB at most',
    );
  });

  it("may be 280 MB with the agent's packages in it", () => {
    expect(smallEnough('packages', 'warren/packages:1', 280e6)).toBe('280 MB');
    expect(() => smallEnough('packages', 'warren/packages:1', 281e6)).toThrow('expected 280 MB at most');
  });
});
