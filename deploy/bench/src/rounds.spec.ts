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

  it('leaves out a target that fails, where the caller notes that', async () => {
    const leftOut: string[] = [];
    const results = await interleave(
      ['a', 'b'],
      { rounds: 2, warm: 0 },
      async (target, round) => {
        if (target === 'a' && round === 1) throw new Error('it hung up');
        return { ms: round };
      },
      (target, error) => leftOut.push(`${target}: ${(error as Error).message}`),
    );
    expect(leftOut).toEqual(['a: it hung up']);
    expect(results.map(({ target }) => target)).toEqual(['b']);
  });

  it('ends with the error of a target, where the caller does not', async () => {
    const measure = async () => {
      throw new Error('it hung up');
    };
    await expect(interleave(['a'], { rounds: 1, warm: 0 }, measure)).rejects.toThrow('it hung up');
  });
});
