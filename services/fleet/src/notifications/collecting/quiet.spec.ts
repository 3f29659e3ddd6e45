import { describe, expect, it } from '@jest/globals';
import { isQuiet, quietEnd } from './quiet.ts';

const NIGHT = { from: '22:00', to: '06:00', zone: 'Europe/Berlin' };
const end = (quiet: typeof NIGHT, at: string) => quietEnd(quiet, new Date(at)).toISOString();
const quiet = (hours: typeof NIGHT, at: string) => isQuiet(hours, new Date(at));

describe('quiet hours', () => {
  it('go over midnight, in their own time zone', () => {
    expect(quiet(NIGHT, '2026-11-26T20:59:59Z')).toBe(false);
    expect(quiet(NIGHT, '2026-11-26T21:00:00Z')).toBe(true);
    expect(quiet(NIGHT, '2026-11-27T04:59:59Z')).toBe(true);
    expect(quiet(NIGHT, '2026-11-27T05:00:00Z')).toBe(false);
    expect(quiet({ ...NIGHT, zone: 'America/New_York' }, '2026-11-26T21:00:00Z')).toBe(false);
    expect(end(NIGHT, '2026-11-26T21:00:00Z')).toBe('2026-11-27T05:00:00.000Z');
  });

  it('may be within a day', () => {
    const noon = { ...NIGHT, from: '12:00', to: '13:00' };
    expect(quiet(noon, '2026-11-26T11:30:00Z')).toBe(true);
    expect(quiet(noon, '2026-11-26T12:00:00Z')).toBe(false);
    expect(end(noon, '2026-11-26T11:30:30Z')).toBe('2026-11-26T12:00:00.000Z');
  });

  it('are an hour shorter in the night whose clocks go forward (29 March 2026, 02:00 to 03:00)', () => {
    expect(end(NIGHT, '2026-03-28T21:00:00Z')).toBe('2026-03-29T04:00:00.000Z');
  });

  it('end at the end of the gap if their end is in it', () => {
    expect(end({ ...NIGHT, to: '02:30' }, '2026-03-28T21:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
  });

  it('are an hour longer in the night whose clocks go back (25 October 2026, 03:00 to 02:00)', () => {
    expect(end(NIGHT, '2026-10-24T20:00:00Z')).toBe('2026-10-25T05:00:00.000Z');
  });

  it('come again if they are in the hour that comes again', () => {
    const short = { ...NIGHT, from: '02:15', to: '02:45' };
    expect(end(short, '2026-10-25T00:20:00Z')).toBe('2026-10-25T00:45:00.000Z');
    expect(quiet(short, '2026-10-25T01:20:00Z')).toBe(true);
    expect(end(short, '2026-10-25T01:20:00Z')).toBe('2026-10-25T01:45:00.000Z');
  });
});
