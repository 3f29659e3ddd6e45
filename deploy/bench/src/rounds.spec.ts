import { describe, expect, it } from '@jest/globals';
import { interleave } from './rounds.ts';

describe('interleave', () => {
  it('measures each target once a round, in turn, and gives medians', async () => {
    const order: string[] = [];
    const results = await interleave(['a', 'b'], 3, async (target, round) => {
      order.push(`${target}${round}`);
      return { ms: target === 'a' ? [5, 100, 6][round]! : 1, mb: round };
    });
    expect(order).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
    expect(results).toEqual([
      { target: 'a', figures: { ms: 6, mb: 1 } },
      { target: 'b', figures: { ms: 1, mb: 1 } },
    ]);
  });
});
