import { describe, expect, it } from '@jest/globals';
import { isOpen, nextOpening, updateWindowSchema, windowText, type UpdateWindow } from './update.window.ts';

const WEEK = [1, 2, 3, 4, 5, 6, 7];
const SATURDAY = 6;

const of = (window: Partial<UpdateWindow>): UpdateWindow => ({
  days: WEEK,
  from: '02:00',
  to: '05:00',
  timeZone: 'Europe/Berlin',
  ...window,
});
const open = (window: Partial<UpdateWindow>, at: string) => isOpen(of(window), new Date(at));
const next = (window: Partial<UpdateWindow>, after: string) => nextOpening(of(window), new Date(after)).toISOString();

describe('an update window', () => {
  it('is open from its first minute to before its last, in its own time zone', () => {
    const window = { days: [SATURDAY] };
    // 28 November 2026 is a Saturday; Berlin is an hour ahead of UTC.
    expect(open(window, '2026-11-28T00:59:59Z')).toBe(false);
    expect(open(window, '2026-11-28T01:00:00Z')).toBe(true);
    expect(open(window, '2026-11-28T03:59:59Z')).toBe(true);
    expect(open(window, '2026-11-28T04:00:00Z')).toBe(false);
    expect(open(window, '2026-11-29T01:00:00Z')).toBe(false);
    expect(open({ ...window, timeZone: 'America/New_York' }, '2026-11-28T07:00:00Z')).toBe(true);
  });

  it('that goes over midnight belongs to the day on which it opens', () => {
    const window = { days: [7], from: '22:00', to: '04:00' };
    expect(open(window, '2026-11-29T20:59:00Z')).toBe(false);
    expect(open(window, '2026-11-29T21:00:00Z')).toBe(true);
    // Monday, 03:59 and 04:00.
    expect(open(window, '2026-11-30T02:59:00Z')).toBe(true);
    expect(open(window, '2026-11-30T03:00:00Z')).toBe(false);
    // Sunday, 03:00: the window of Saturday, which there is none of.
    expect(open(window, '2026-11-29T02:00:00Z')).toBe(false);
    expect(next(window, '2026-11-30T03:00:00Z')).toBe('2026-12-06T21:00:00.000Z');
  });

  it('from a time to the same one is a whole day', () => {
    const window = { days: [SATURDAY], from: '00:00', to: '00:00' };
    expect(open(window, '2026-11-27T22:59:00Z')).toBe(false);
    expect(open(window, '2026-11-27T23:00:00Z')).toBe(true);
    expect(open(window, '2026-11-28T22:59:00Z')).toBe(true);
    expect(open(window, '2026-11-28T23:00:00Z')).toBe(false);
  });

  it('opens next on the same day, on a later one, or in a week', () => {
    expect(next({}, '2026-11-28T00:30:00Z')).toBe('2026-11-28T01:00:00.000Z');
    expect(next({}, '2026-11-28T04:00:00Z')).toBe('2026-11-29T01:00:00.000Z');
    expect(next({ days: [SATURDAY] }, '2026-11-28T04:00:00Z')).toBe('2026-12-05T01:00:00.000Z');
  });

  describe('in the night whose clocks go forward (29 March 2026, 02:00 to 03:00)', () => {
    it('ends by the clock, an hour earlier than else', () => {
      expect(open({ from: '01:00' }, '2026-03-29T00:30:00Z')).toBe(true);
      expect(open({ from: '01:00' }, '2026-03-29T02:59:00Z')).toBe(true);
      expect(open({ from: '01:00' }, '2026-03-29T03:00:00Z')).toBe(false);
    });

    it('opens at the end of the gap if its beginning is in it', () => {
      const window = { from: '02:30', to: '03:30' };
      expect(open(window, '2026-03-29T00:59:00Z')).toBe(false);
      expect(open(window, '2026-03-29T01:00:00Z')).toBe(true);
      expect(open(window, '2026-03-29T01:30:00Z')).toBe(false);
      expect(next(window, '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
    });

    it('does not open if all of it is in the gap', () => {
      const window = { from: '02:00', to: '03:00' };
      expect(next(window, '2026-03-28T12:00:00Z')).toBe('2026-03-30T00:00:00.000Z');
      expect(next({ ...window, days: [7] }, '2026-03-28T12:00:00Z')).toBe('2026-04-05T00:00:00.000Z');
    });
  });

  describe('in the night whose clocks go back (25 October 2026, 03:00 to 02:00)', () => {
    it('is open for an hour more', () => {
      expect(open({}, '2026-10-25T00:00:00Z')).toBe(true);
      expect(open({}, '2026-10-25T03:59:00Z')).toBe(true);
      expect(open({}, '2026-10-25T04:00:00Z')).toBe(false);
      expect(next({}, '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:00:00.000Z');
    });

    it('opens twice if all of it is in the hour that comes again', () => {
      const window = { from: '02:15', to: '02:45' };
      expect(next(window, '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:15:00.000Z');
      expect(open(window, '2026-10-25T00:50:00Z')).toBe(false);
      expect(next(window, '2026-10-25T00:50:00Z')).toBe('2026-10-25T01:15:00.000Z');
    });
  });

  it('in Cairo opens after midnight on the day that has none', () => {
    // 24 April 2026, a Friday, begins at 01:00.
    expect(next({ from: '00:00', timeZone: 'Africa/Cairo' }, '2026-04-23T12:00:00Z')).toBe('2026-04-23T22:00:00.000Z');
  });

  it.each([
    [{ days: [] }, 'expected at least one day'],
    [{ days: [0] }, '>=1'],
    [{ days: [8] }, '<=7'],
    [{ from: '24:00' }, 'expected a time from 00:00 to 23:59'],
    [{ to: '2:00' }, 'expected a time from 00:00 to 23:59'],
    [{ timeZone: '+02:00' }, 'expected an IANA time zone'],
  ])('can not be %j', (wrong, why) => {
    const parsed = updateWindowSchema.safeParse(of(wrong));
    expect(parsed.error?.message).toContain(why);
  });

  it('has each of its days once, in their order', () => {
    expect(updateWindowSchema.parse(of({ days: [7, 6, 7] })).days).toEqual([6, 7]);
  });

  it('is a text for people', () => {
    expect(windowText(of({ days: [6, 7] }))).toBe('Sat, Sun 02:00–05:00 Europe/Berlin');
    expect(windowText(undefined)).toBe('always');
  });
});
