import { expect, it } from '@jest/globals';
import { timeOfDay, timeZone } from './updates.ts';

it.each(['00:00', '09:30', '23:59'])('%s is a time of day', (time) => {
  expect(timeOfDay.parse(time)).toBe(time);
});

it.each(['24:00', '9:30', '12:60', '12:00:00', ''])('%j is no time of day', (time) => {
  expect(timeOfDay.safeParse(time).error?.message).toContain('expected a time from 00:00 to 23:59');
});

it.each(['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'UTC'])('%s is a time zone', (name) => {
  expect(timeZone.parse(name)).toBe(name);
});

it.each(['Europe/Nowhere', '+02:00', ''])('%j is no time zone', (name) => {
  expect(timeZone.safeParse(name).error?.message).toContain('expected an IANA time zone such as Europe/Berlin');
});
