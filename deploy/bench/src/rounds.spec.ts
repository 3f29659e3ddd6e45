import { describe, expect, it } from '@jest/globals';
import { interleave } from './rounds.ts';

describe('interleave', () => {
  it('measures each target once a round, in turn, and gives medians', async () => {
    const order: string[] = [];
    const results = await interleave(['a', 'b'], { rounds: 3, warm: 0 }, async (target, round) => {
      order.push(`${target}${round}`);
      return { ms: target === 'a' ? [5, 100, 6][round]! : 1, mb: round };
    });
    expect(order).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
    expect(results).toEqual([
      { target: 'a', figures: { ms: 6, mb: 1 } },
      { target: 'b', figures: { ms: 1, mb: 1 } },
    ]);
  });

  it('does not count the rounds in which all gets warm', async () => {
    const measured: number[] = [];
    const [result] = await interleave(['a'], { rounds: 3, warm: 2 }, async (_, round) => {
      measured.push(round);
      return { ms: round < 0 ? 1_000 : round };
    });
    expect(measured).toEqual([-2, -1, 0, 1, 2]);
    expect(result?.figures.ms).toBe(1);
  });
});
