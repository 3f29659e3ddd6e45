import { describe, expect, it } from '@jest/globals';
import { presenceWord, RECONNECTING_MS } from './presence.ts';

const AT = '2026-03-04T10:00:00.000Z';
const CREATED = '2026-01-01T00:00:00.000Z';
const gone = { status: 'Disconnected', status_since: AT, created: CREATED };
const later = (ms: number) => Date.parse(AT) + ms;

describe('the word for presence', () => {
  it('is Reconnecting only shortly after a device disconnected', () => {
    expect(presenceWord(gone, later(0))).toBe('Reconnecting');
    expect(presenceWord(gone, later(RECONNECTING_MS - 1))).toBe('Reconnecting');
    expect(presenceWord(gone, later(RECONNECTING_MS))).toBe('Disconnected');
  });

  it('is Connected right after a device connected', () => {
    expect(presenceWord({ ...gone, status: 'Connected' }, later(0))).toBe('Connected');
  });

  it('is Disconnected for a device that was never connected', () => {
    expect(presenceWord({ ...gone, created: AT }, later(5))).toBe('Disconnected');
    expect(presenceWord({ status: 'Disconnected' }, later(5))).toBe('Disconnected');
  });
});
