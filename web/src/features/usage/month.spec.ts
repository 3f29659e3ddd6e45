import { expect, it } from '@jest/globals';
import { boundsOf, daysOf, keptMonths, monthBeside, monthIn, secondsOf } from './month.ts';

const NOW = Date.UTC(2026, 10, 3, 12);

it('takes a month from the address, and the present one for anything else', () => {
  expect(monthIn('2026-02', NOW)).toBe('2026-02');
  for (const text of [null, '', '2026-13', '2026-1', '1999-01', 'x']) expect(monthIn(text, NOW)).toBe('2026-11');
});

it('goes from month to month over the turn of a year, and has those that are kept', () => {
  expect(monthBeside('2026-01', -1)).toBe('2025-12');
  expect(monthBeside('2026-12', 1)).toBe('2027-01');
  expect(keptMonths(NOW)).toHaveLength(26);
  expect(keptMonths(NOW).at(-1)).toBe('2024-10');
});

it('has days of UTC up to the present one', () => {
  expect(boundsOf('2026-12')).toEqual({ from: '2026-12-01', to: '2027-01-01' });
  expect(daysOf('2026-11', NOW)).toEqual(['01', '02', '03'].map((day) => `2026-11-${day}T00:00:00.000Z`));
  expect(daysOf('2024-02', NOW)).toHaveLength(29);
  expect(daysOf('2026-12', NOW)).toEqual([]);
  expect(secondsOf('2026-11', NOW)).toBe(2.5 * 86_400);
  expect(secondsOf('2026-10', NOW)).toBe(31 * 86_400);
  expect(secondsOf('2026-12', NOW)).toBe(0);
});
