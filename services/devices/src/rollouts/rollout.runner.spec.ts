import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { RolloutOffers } from './rollout.offers.ts';
import { RolloutRunner } from './rollout.runner.ts';
import type { RolloutTurns } from './rollout.turns.ts';

describe('the rounds of rollouts', () => {
  let looks: number;
  let running: number;
  let asked: number;
  let during: () => void;
  let runner: RolloutRunner;

  beforeEach(() => {
    jest.useFakeTimers();
    [looks, running, asked] = [0, 0, 0];
    during = () => undefined;
    const take = async () => {
      looks++;
      during();
      return running;
    };
    runner = new RolloutRunner({ take } as RolloutTurns, { make: async () => asked } as RolloutOffers);
    runner.onApplicationBootstrap();
  });

  afterEach(async () => {
    await runner.beforeApplicationShutdown();
    jest.useRealTimers();
  });

  const looksIn = async (seconds: number) => {
    looks = 0;
    await jest.advanceTimersByTimeAsync(seconds * 1_000);
    return looks;
  };

  it('look each second while a rollout runs, or devices of one that is over are asked', async () => {
    running = 1;
    expect(await looksIn(5)).toBe(5);
    [running, asked] = [0, 1];
    expect(await looksIn(5)).toBe(5);
  });

  it('look each fifth second while there is nothing to do', async () => {
    expect(await looksIn(1)).toBe(1);
    expect(await looksIn(4)).toBe(0);
    expect(await looksIn(20)).toBe(4);
  });

  it('look in the next second when a rollout was changed, also in the middle of a look', async () => {
    await looksIn(1);
    runner.wake();
    expect(await looksIn(1)).toBe(1);
    runner.wake();
    during = () => {
      runner.wake();
      during = () => undefined;
    };
    expect(await looksIn(2)).toBe(2);
    expect(await looksIn(4)).toBe(0);
  });
});
