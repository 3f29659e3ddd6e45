import { describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { Gather, type GatherLimits } from './gather.ts';

function world(limits: GatherLimits = { together: 3, atOnce: 1 }) {
  const asked: string[][] = [];
  const answers: PromiseWithResolvers<(string | undefined)[]>[] = [];
  const gather = new Gather((ids: string[]) => {
    asked.push(ids);
    const answer = Promise.withResolvers<(string | undefined)[]>();
    answers.push(answer);
    return answer.promise;
  }, limits);
  const answer = async (turn: number) => {
    answers[turn]?.resolve((asked[turn] ?? []).map((id) => `${id}!`));
    await new Promise(setImmediate);
  };
  return { gather, asked, answers, answer };
}

describe('Gather', () => {
  it('asks for the first at once, and for those who come meanwhile together', async () => {
    const { gather, asked, answer } = world();
    const got = ['a', 'b', 'c', 'b', 'd'].map((id) => gather.get(id));
    expect(asked).toEqual([['a']]);
    await answer(0);
    expect(asked[1]).toEqual(['b', 'c', 'b']);
    await answer(1);
    expect(asked[2]).toEqual(['d']);
    await answer(2);
    expect(await Promise.all(got)).toEqual(['a!', 'b!', 'c!', 'b!', 'd!']);
  });

  it('fails those whose question failed, and goes on', async () => {
    const { gather, asked, answers, answer } = world();
    const first = gather.get('a');
    const second = gather.get('b');
    answers[0]?.reject(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await answer(1);
    expect(asked).toEqual([['a'], ['b']]);
    expect(await second).toBe('b!');
  });

  it('knows nothing of what has no answer', async () => {
    const { gather, answers } = world();
    const got = gather.get('a');
    answers[0]?.resolve([]);
    expect(await got).toBeUndefined();
  });

  it('rests between two questions, where it may', async () => {
    const { gather, asked, answer } = world({ together: 3, atOnce: 1, restMs: 20 });
    const got = [gather.get('a')];
    expect(asked).toEqual([['a']]);
    await answer(0);
    got.push(gather.get('b'), gather.get('c'));
    expect(asked).toHaveLength(1);
    await until(() => asked.length > 1);
    expect(asked[1]).toEqual(['b', 'c']);
    await answer(1);
    expect(await Promise.all(got)).toEqual(['a!', 'b!', 'c!']);
  });

  it('waits for others to join, where it may linger', async () => {
    const { gather, asked, answer } = world({ together: 3, atOnce: 1, lingerMs: 20 });
    const got = ['a', 'b'].map((id) => gather.get(id));
    expect(asked).toEqual([]);
    await until(() => asked.length > 0);
    expect(asked).toEqual([['a', 'b']]);
    await answer(0);
    expect(await Promise.all(got)).toEqual(['a!', 'b!']);
  });
});
