import { expect, it } from '@jest/globals';
import { gridOf, MOST_POINTS } from './resolution.ts';

const NOW = new Date('2026-11-26T12:34:56Z');
const now = NOW.getTime() / 1_000;
const HOUR = 3_600;
const DAY = 24 * HOUR;

it.each([
  ['an hour', HOUR, 60],
  ['12 hours', 12 * HOUR, 60],
  ['a day', DAY, 120],
  ['2 days', 2 * DAY, 300],
  ['a week', 7 * DAY, 900],
  ['30 days', 30 * DAY, HOUR],
  ['a year', 365 * DAY, 12 * HOUR],
])('%s has its step', (_name, length, step) => {
  const grid = gridOf(now - length, now, NOW);
  expect(grid.step).toBe(step);
  expect(grid.points).toBeLessThanOrEqual(MOST_POINTS);
  expect(grid.start % step).toBe(0);
  expect(grid.start).toBeLessThanOrEqual(now - length);
  expect(grid.start + grid.points * step).toBeGreaterThanOrEqual(now);
});

it('what is no longer kept by the minute is in steps of what is', () => {
  expect(gridOf(now - 5 * DAY, now - 5 * DAY + HOUR, NOW).step).toBe(300);
  expect(gridOf(now - 50 * DAY, now - 50 * DAY + HOUR, NOW).step).toBe(HOUR);
});

it('of any length is bounded', () => {
  const grid = gridOf(0, 4_294_967_295, NOW);
  expect(grid.points).toBeLessThanOrEqual(MOST_POINTS);
  expect(grid.start + grid.points * grid.step).toBeGreaterThanOrEqual(4_294_967_295);
});
