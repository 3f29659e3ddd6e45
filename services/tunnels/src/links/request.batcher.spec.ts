import { describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { RequestBatcher, type BatchLimits } from './request.batcher.ts';

function world(limits: BatchLimits = { batchSize: 3, concurrency: 1 }) {
  const asked: string[][] = [];
  const answers: PromiseWithResolvers<(string | undefined)[]>[] = [];
  const batcher = new RequestBatcher((ids: string[]) => {
    asked.push(ids);
    const answer = Promise.withResolvers<(string | undefined)[]>();
    answers.push(answer);
    return answer.promise;
  }, limits);
  const answer = async (turn: number) => {
    answers[turn]?.resolve((asked[turn] ?? []).map((id) => `${id}!`));
    await new Promise(setImmediate);
  };
  return { batcher, asked, answers, answer };
}

describe('RequestBatcher', () => {
  it('sends the first request at once, and batches those that arrive meanwhile', async () => {
    const { batcher, asked, answer } = world();
    const got = ['a', 'b', 'c', 'b', 'd'].map((id) => batcher.get(id));
    expect(asked).toEqual([['a']]);
    await answer(0);
    expect(asked[1]).toEqual(['b', 'c', 'b']);
    await answer(1);
    expect(asked[2]).toEqual(['d']);
    await answer(2);
    expect(await Promise.all(got)).toEqual(['a!', 'b!', 'c!', 'b!', 'd!']);
  });

  it('rejects the requests of a failed batch, and continues', async () => {
    const { batcher, asked, answers, answer } = world();
    const first = batcher.get('a');
    const second = batcher.get('b');
    answers[0]?.reject(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await answer(1);
    expect(asked).toEqual([['a'], ['b']]);
    expect(await second).toBe('b!');
  });

  it('returns undefined without an answer', async () => {
    const { batcher, answers } = world();
    const got = batcher.get('a');
    answers[0]?.resolve([]);
    expect(await got).toBeUndefined();
  });

  it('pauses between batches if configured', async () => {
    const { batcher, asked, answer } = world({ batchSize: 3, concurrency: 1, restMs: 20 });
    const got = [batcher.get('a')];
    expect(asked).toEqual([['a']]);
    await answer(0);
    got.push(batcher.get('b'), batcher.get('c'));
    expect(asked).toHaveLength(1);
    await until(() => asked.length > 1);
    expect(asked[1]).toEqual(['b', 'c']);
    await answer(1);
    expect(await Promise.all(got)).toEqual(['a!', 'b!', 'c!']);
  });

  it('lingers for others to join if configured', async () => {
    const { batcher, asked, answer } = world({ batchSize: 3, concurrency: 1, lingerMs: 20 });
    const got = ['a', 'b'].map((id) => batcher.get(id));
    expect(asked).toEqual([]);
    await until(() => asked.length > 0);
    expect(asked).toEqual([['a', 'b']]);
    await answer(0);
    expect(await Promise.all(got)).toEqual(['a!', 'b!']);
  });
});
