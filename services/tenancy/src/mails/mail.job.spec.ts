import { describe, expect, it } from '@jest/globals';
import { MAIL_JOB, retryDelay } from './mail.job.ts';

describe('the wait before the next try', () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [5, 16_000],
    [11, 600_000],
    [2_000, 600_000],
  ])('after %i is at most %i ms, and at least four fifths of it', (attempts, most) => {
    expect(retryDelay(attempts, () => 0)).toBe(most);
    expect(retryDelay(attempts, () => 1)).toBe(most * 0.8);
  });

  it('lasts for all the days in which an invitation is good', () => {
    const all = Array.from({ length: MAIL_JOB.attempts }, (_, n) => retryDelay(n + 1, () => 1));
    expect(all.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(7 * 24 * 3_600_000);
  });
});
