import { expect, it } from '@jest/globals';
import { daysText, minutesOf, spanOf, spanText } from './span.ts';

it.each([
  [0, '0 minutes'],
  [1, '1 minute'],
  [10, '10 minutes'],
  [60, '1 hour'],
  [90, '90 minutes'],
  [1_440, '1 day'],
  [2_880, '2 days'],
  [1_500, '25 hours'],
])('%d minutes are %s', (minutes, text) => {
  expect(spanText(minutes)).toBe(text);
  expect(minutesOf(spanOf(minutes))).toBe(minutes);
});

it('tells days', () => {
  expect(daysText(7)).toBe('7 days');
});
