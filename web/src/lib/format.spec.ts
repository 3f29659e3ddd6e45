import { describe, expect, it } from '@jest/globals';
import { ago, bytes, countdown, duration, percent, share, uuidTime, wholePercent } from './format.ts';

describe('format', () => {
  it('shows bytes in the unit that fits', () => {
    expect([0, 512, 1024, 1536, 150 * 1024, 7.6 * 2 ** 30].map(bytes)).toEqual([
      '0 B',
      '512 B',
      '1.0 KiB',
      '1.5 KiB',
      '150 KiB',
      '7.6 GiB',
    ]);
    expect(bytes(undefined)).toBe('Not known');
  });

  it('shows a percentage with one decimal, and 100 only for the whole', () => {
    expect([0, 12.5, 93.24, 93.6, 99.94, 99.97, 100].map(percent)).toEqual([
      '0 %',
      '12.5 %',
      '93.2 %',
      '93.6 %',
      '99.9 %',
      '99.9 %',
      '100 %',
    ]);
    expect(percent(null)).toBe('Not known');
    expect([0, 12.5, 99.4, 99.97, 100].map(wholePercent)).toEqual(['0 %', '13 %', '99 %', '99 %', '100 %']);
  });

  it('keeps a share between 0 and 100', () => {
    expect(share(1, 4)).toBe(25);
    expect(share(5, 4)).toBe(100);
    expect(share(5, 0)).toBe(0);
    expect(share(undefined, 4)).toBe(0);
  });

  it('shows a duration by its two largest units', () => {
    expect([0, 12, 300, 3660, 90_000, 86_400].map(duration)).toEqual([
      '0 s',
      '12 s',
      '5 min',
      '1 h 1 min',
      '1 d 1 h',
      '1 d',
    ]);
  });

  it('counts down to zero and no further', () => {
    expect([3_600_000, 3_599_000, 61_000, 500, -1].map(countdown)).toEqual([
      '1:00:00',
      '59:59',
      '01:01',
      '00:01',
      '00:00',
    ]);
  });

  it('shows how long ago something was, never in the future', () => {
    const now = Date.parse('2026-03-04T12:00:00Z');
    expect(ago('2026-03-04T11:55:00Z', now)).toBe('5 minutes ago');
    expect(ago('2026-03-03T12:00:00Z', now)).toBe('yesterday');
    expect(ago('2026-03-04T12:05:00Z', now)).toBe('now');
    expect(ago('', now)).toBe('Not known');
  });

  it('reads the moment in a UUIDv7 (RFC 9562, appendix A.6)', () => {
    expect(uuidTime('017F22E2-79B0-7CC3-98C4-DC0C0C07398F')).toBe(Date.parse('2022-02-22T19:22:22Z'));
    expect(uuidTime('919108f7-52d1-4320-9bac-f847db4148a8')).toBeNaN();
  });
});
