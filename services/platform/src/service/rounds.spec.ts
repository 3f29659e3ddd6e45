import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Rounds } from './rounds.ts';

const EVERY_MS = 1_000;
let warn: jest.SpiedFunction<Logger['warn']>;

beforeEach(() => {
  jest.useFakeTimers();
  warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const roundsOf = (round: () => Promise<void>): Rounds =>
  new Rounds({ of: 'Sweeper', everyMs: EVERY_MS, failed: 'Sweeping failed', round });

test('rounds never overlap, and a call during one waits for its end', async () => {
  const gate = Promise.withResolvers<undefined>();
  const round = jest.fn((): Promise<void> => gate.promise);
  const rounds = roundsOf(round);
  rounds.start();
  await jest.advanceTimersByTimeAsync(3 * EVERY_MS);
  const asked = rounds.now();
  expect(round).toHaveBeenCalledTimes(1);
  gate.resolve(undefined);
  await asked;
  await jest.advanceTimersByTimeAsync(EVERY_MS);
  expect(round).toHaveBeenCalledTimes(2);
  await rounds.stop();
});

test('the first failure in a row is logged, and the next round tries again', async () => {
  let fails = true;
  const round = jest.fn(() => (fails ? Promise.reject(new Error('away')) : Promise.resolve()));
  const rounds = roundsOf(round);
  await rounds.now();
  await rounds.now();
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn).toHaveBeenCalledWith({ err: expect.any(Error), retry_ms: EVERY_MS }, 'Sweeping failed');
  fails = false;
  await rounds.now();
  fails = true;
  await rounds.now();
  expect(warn).toHaveBeenCalledTimes(2);
});

test('stopping waits for the round that runs, and none comes after it', async () => {
  const gate = Promise.withResolvers<undefined>();
  const round = jest.fn((): Promise<void> => gate.promise);
  const rounds = roundsOf(round);
  rounds.start();
  await jest.advanceTimersByTimeAsync(EVERY_MS);
  let stopped = false;
  const stopping = rounds.stop().then(() => (stopped = true));
  await jest.advanceTimersByTimeAsync(2 * EVERY_MS);
  expect(stopped).toBe(false);
  gate.resolve(undefined);
  await stopping;
  expect(round).toHaveBeenCalledTimes(1);
});
